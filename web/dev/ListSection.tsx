import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Box, CircleCheck, Ellipsis, Truck } from 'lucide-react';
import { useState } from 'react';
import { BulkReport } from '../src/ui/BulkReport.tsx';
import { Button } from '../src/ui/Button.tsx';
import { Card } from '../src/ui/Card.tsx';
import { DataTable } from '../src/ui/DataTable.tsx';
import type { Column } from '../src/ui/DataTable.tsx';
import { DayWords } from '../src/ui/DayWords.tsx';
import { DensityButton } from '../src/ui/DensityButton.tsx';
import { DescriptionItem } from '../src/ui/DescriptionItem.tsx';
import { DottedParts } from '../src/ui/DottedParts.tsx';
import { EmptyState } from '../src/ui/EmptyState.tsx';
import { Filled } from '../src/ui/Filled.tsx';
import { FilterBar } from '../src/ui/FilterBar.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { Keys } from '../src/ui/Keys.tsx';
import { ListCard } from '../src/ui/ListCard.tsx';
import { LoadMore } from '../src/ui/LoadMore.tsx';
import { LocalTime } from '../src/ui/LocalTime.tsx';
import { Mark, MarkPaths } from '../src/ui/Mark.tsx';
import { Menu } from '../src/ui/Menu.tsx';
import { MenuItem } from '../src/ui/MenuItem.tsx';
import { Panel } from '../src/ui/Panel.tsx';
import { PanelSteps } from '../src/ui/PanelSteps.tsx';
import { Prose } from '../src/ui/Prose.tsx';
import { QrCode } from '../src/ui/QrCode.tsx';
import { RelativeTime } from '../src/ui/RelativeTime.tsx';
import { Select } from '../src/ui/Select.tsx';
import { BarButton, SelectionBar } from '../src/ui/SelectionBar.tsx';
import { Stars } from '../src/ui/Stars.tsx';
import { StatSegment, StatStrip } from '../src/ui/StatStrip.tsx';
import { TableBox } from '../src/ui/TableBox.tsx';
import { TableSkeleton } from '../src/ui/TableSkeleton.tsx';
import { Tabs } from '../src/ui/Tabs.tsx';
import { useSelection } from '../src/ui/useSelection.ts';
import { Section, Specimen, State } from './Specimen.tsx';

interface Row {
  id: string;
  name: string;
  recipient: string;
  kilograms: number;
}

const rows: Row[] = [
  { id: '1', name: 'Espresso machine', recipient: 'Jane Doe', kilograms: 6.2 },
  { id: '2', name: 'Desk lamp', recipient: 'Lucía Größe', kilograms: 1.4 },
  {
    id: '3',
    name: 'A very long name of a package that does not fit into its column',
    recipient: 'Ed Li',
    kilograms: 12,
  },
];
const columns: Column<Row>[] = [
  {
    id: 'picture',
    title: 'Picture',
    untitled: true,
    className: 'w-12',
    phone: 'picture',
    cell: () => <Box aria-hidden="true" className="size-5 text-ink-3" />,
  },
  { id: 'name', title: 'Package', sort: 'name', phone: 'title', cell: ({ name }) => name },
  { id: 'recipient', title: 'Recipient', phone: 'detail', cell: ({ recipient }) => recipient },
  {
    id: 'weight',
    title: 'Weight',
    sort: 'weight',
    numeric: true,
    phone: 'end',
    cell: ({ kilograms }) => `${kilograms} kg`,
  },
  { id: 'state', title: 'Status', phone: 'end detail', cell: () => 'Processing' },
];
const moment = new Date(Date.now() - 7_200_000).toISOString();

export function ListSection() {
  return (
    <Section title="Lists">
      <Tables />
      <Lists />
      <Cards />
      <Words />
    </Section>
  );
}

function Tables() {
  const [sort, setSort] = useState<string | undefined>('name');
  const [open, setOpen] = useState<string>();
  const [q, setQ] = useState<string>();
  const ids = rows.map(({ id }) => id);
  const selection = useSelection(ids, 47, '');
  return (
    <>
      <Specimen name="FilterBar">
        <State name="with a filter" wide>
          <FilterBar label="Search packages" q={q} onSearch={(change) => setQ(change.q)} beside={<DensityButton />}>
            <Select size="sm" aria-label="Status" options={[{ value: 'all', label: 'All statuses' }]} />
          </FilterBar>
        </State>
      </Specimen>
      <Specimen name="DataTable, SelectionBar">
        <State name="groups, sorting, selection, open row, menu" wide>
          <TableBox>
            <DataTable
              label="Packages"
              columns={columns}
              groups={[
                { id: 'way', title: 'On the way', count: '2', rows: rows.slice(0, 2) },
                { id: 'waiting', title: 'Waiting', count: '1', remark: 'Oldest: 2 days', rows: rows.slice(2) },
              ]}
              idOf={({ id }) => id}
              nameOf={({ name }) => name}
              selection={selection}
              sort={sort}
              onSort={setSort}
              openId={open}
              onOpen={setOpen}
              renderMenu={({ name }) => (
                <Menu
                  trigger={
                    <IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis aria-hidden="true" />} />
                  }
                >
                  <MenuItem>Copy link</MenuItem>
                </Menu>
              )}
            />
          </TableBox>
        </State>
        <State name="an older reply, without selection and keys, menus with a title" wide>
          <TableBox stale>
            <DataTable
              label="Packages of before"
              columns={columns}
              groups={[{ id: 'all', title: '', count: '', rows }]}
              idOf={({ id }) => id}
              nameOf={({ name }) => name}
              renderMenu={({ name }) => (
                <IconButton size="sm" label={`More for ${name}`} icon={<Ellipsis aria-hidden="true" />} />
              )}
              titlesMenus
              hasKeys={false}
            />
          </TableBox>
        </State>
        {selection.count > 0 && (
          <SelectionBar selection={selection} loaded={rows.length} total={47}>
            <BarButton onClick={selection.clear}>Copy links</BarButton>
            <BarButton disabled onClick={() => undefined}>
              Delete
            </BarButton>
          </SelectionBar>
        )}
      </Specimen>
      <Specimen name="PanelSteps, BulkReport">
        <State name="PanelSteps">
          <PanelSteps
            noun="package"
            neighbours={{ position: 2, total: 3, previous: '1', next: '3' }}
            onOpen={() => undefined}
          />
        </State>
        <State name="not in the list">
          <PanelSteps
            noun="package"
            neighbours={{ position: null, total: 3, previous: null, next: null }}
            onOpen={() => undefined}
          />
        </State>
        <State name="BulkReport" wide>
          <BulkReport
            outcome={{
              done: 44,
              refused: rows.map((item) => ({ item, message: 'It is on the road.' })),
              left: [],
              failure: null,
            }}
            done="44 packages cancelled"
            idOf={({ id }) => id}
            renderItem={({ name }) => name}
          />
        </State>
      </Specimen>
    </>
  );
}

const never = new Promise<never>(() => undefined);
const answers = {
  loading: () => never,
  error: () => Promise.reject(new Error('The server does not respond.')),
  empty: () => Promise.resolve([]),
  rows: () => Promise.resolve(rows),
};

function Lists() {
  const [more, setMore] = useState(false);
  return (
    <>
      <Specimen name="ListCard">
        {Object.entries(answers).map(([name, answer]) => (
          <State key={name} name={name} wide>
            <SampleList name={name} answer={answer} />
          </State>
        ))}
      </Specimen>
      <Specimen name="Panel">
        {Object.entries(answers).map(([name, answer]) => (
          <State key={name} name={name} wide>
            <SamplePanel name={name} answer={answer} />
          </State>
        ))}
      </Specimen>
      <Specimen name="LoadMore">
        <State name="more" wide>
          <LoadMore shown={25} total={47} hasMore loading={more} onLoad={() => setMore(true)} />
        </State>
        <State name="capped" wide>
          <LoadMore shown={25} total={10_000} isCapped hasMore loading={false} onLoad={() => undefined} />
        </State>
        <State name="all" wide>
          <LoadMore shown={47} total={47} hasMore={false} loading={false} onLoad={() => undefined} />
        </State>
      </Specimen>
    </>
  );
}

interface Sample {
  name: string;
  answer: () => Promise<Row[]>;
}

function SampleList({ name, answer }: Sample) {
  const list = useInfiniteQuery({
    queryKey: ['gallery', 'list', name],
    queryFn: async () => ({ items: await answer(), next: null, total: rows.length, isCapped: false }),
    initialPageParam: '',
    getNextPageParam: () => null,
    retry: false,
  });
  return (
    <ListCard
      list={list}
      pages={1}
      onPages={() => undefined}
      table
      skeleton={<TableSkeleton label="Loading packages" visible />}
      empty={<EmptyState title="Nothing matches" />}
    >
      {(items) => (
        <ul className="divide-y divide-line">
          {items.map((row) => (
            <li key={row.id} className="px-5 py-3">
              {row.name}
            </li>
          ))}
        </ul>
      )}
    </ListCard>
  );
}

function SamplePanel({ name, answer }: Sample) {
  const query = useQuery({ queryKey: ['gallery', 'panel', name], queryFn: answer, retry: false });
  return (
    <Panel title={`Just happened: ${name}`} count={query.data?.length} query={query} loadingHeight="h-20">
      {(items) => (
        <p className="text-ui">{items.length === 0 ? 'Nothing yet.' : items.map((row) => row.name).join(', ')}</p>
      )}
    </Panel>
  );
}

function Cards() {
  const [pressed, setPressed] = useState(true);
  const [tab, setTab] = useState<'open' | 'done'>('open');
  return (
    <>
      <Specimen name="Card, DescriptionItem">
        <State name="with actions" wide>
          <Card title="Delivery" description="What the driver does" actions={<Button size="sm">Edit</Button>}>
            <dl className="grid gap-4 sm:grid-cols-2">
              <DescriptionItem name="Recipient">Jane Doe</DescriptionItem>
              <DescriptionItem name="Reference" icon={<Box aria-hidden="true" />}>
                A-1042
              </DescriptionItem>
              <DescriptionItem name="Instructions" wide>
                Ring twice
              </DescriptionItem>
            </dl>
          </Card>
        </State>
        <State name="flush" wide>
          <Card title="Stops" flush level={3}>
            <p className="px-5 py-3">A row without an edge</p>
          </Card>
        </State>
      </Specimen>
      <Specimen name="StatStrip, StatSegment">
        <State name="a row of figures" wide>
          <StatStrip>
            <StatSegment
              label="Waiting"
              value={12}
              icon={<Box aria-hidden="true" />}
              hint="10 on the way, 2 cancelled"
              onPress={() => setPressed(!pressed)}
              pressed={pressed}
            />
            <StatSegment label="In Transit" value={3} icon={<Truck aria-hidden="true" />} onPress={() => undefined} />
            <StatSegment label="Delivered" value={null} icon={<CircleCheck aria-hidden="true" />} />
          </StatStrip>
        </State>
      </Specimen>
      <Specimen name="Tabs">
        <State name="with counts" wide>
          <Tabs
            label="Stops"
            items={[
              { value: 'open', label: 'Open', count: 12 },
              { value: 'done', label: 'Done' },
            ]}
            value={tab}
            onValueChange={setTab}
          >
            <p className="py-3">{tab === 'open' ? 'Twelve stops' : 'None yet'}</p>
          </Tabs>
        </State>
      </Specimen>
    </>
  );
}

function Words() {
  return (
    <>
      <Specimen name="Stars, Keys, Filled">
        {[1, 3.5, 5].map((value) => (
          <State key={value} name={`${value} stars`}>
            <Stars value={value} />
          </State>
        ))}
        <State name="Keys">
          <Keys keys="g d" />
        </State>
        <State name="Keys with Mod">
          <Keys keys="Mod k" />
        </State>
        <State name="Filled">
          <Filled text="Sent to {name}." values={{ name: <strong key="name">Jane</strong> }} />
        </State>
      </Specimen>
      <Specimen name="LocalTime, RelativeTime, DayWords">
        <State name="LocalTime">
          <LocalTime value={moment} />
        </State>
        <State name="RelativeTime">
          <RelativeTime value={moment} />
        </State>
        <State name="DayWords">
          <DayWords value={moment} />
        </State>
      </Specimen>
      <Specimen name="DottedParts">
        <State name="wide">
          <DottedParts parts={['10115 Berlin', 'Acme Books', '2.5 kg']} />
        </State>
        <State name="narrow">
          <div className="w-32">
            <DottedParts parts={['10115 Berlin', 'Acme Books', '2.5 kg']} />
          </div>
        </State>
      </Specimen>
      <Specimen name="Mark, QrCode">
        <State name="Mark">
          <Mark className="size-10" />
        </State>
        <State name="MarkPaths">
          <svg viewBox="0 0 32 32" className="size-10" aria-hidden="true">
            <MarkPaths />
          </svg>
        </State>
        <State name="QrCode">
          <QrCode text="https://waybill.example/track/PKG-7H3K9QXM" label="The link of the package" />
        </State>
        <State name="sm">
          <QrCode size="sm" text="https://waybill.example/track/PKG-7H3K9QXM" label="The link, small" />
        </State>
      </Specimen>
      <Specimen name="Prose">
        <State name="a page of text" wide>
          <Prose title="About" intro="What this is.">
            <p>One narrow column, which is easy to read.</p>
          </Prose>
        </State>
      </Specimen>
    </>
  );
}
