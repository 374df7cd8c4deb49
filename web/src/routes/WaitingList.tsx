import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { WaitingFilter, WaitingGroup, WaitingPackage } from '@waybill/contract';
import { ChevronRight, MapPinPlus, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { StreetLine } from '../deliveries/StreetLine.tsx';
import { formatCount, formatShortDay, formatWeight } from '../platform/formats.ts';
import { queryClient } from '../platform/query-client.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { TickBox } from '../ui/TickBox.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { countOfLater } from './later.ts';
import { windowIn } from './plan.ts';
import { laterQuery, loadedRows, waitingQuery, waitingRowsQuery } from './queries.ts';
import { chooseRows, groupKey, groupState, isChosen, nothingChosen, toggleGroup } from './selection.ts';
import type { Chosen } from './selection.ts';
import type { Drag } from './useDrag.ts';

interface WaitingListProps {
  filter: WaitingFilter;
  /** The day that is planned. */
  day: string;
  filtered: boolean;
  zone: string;
  chosen: Chosen;
  onChosen: (next: Chosen) => void;
  onOwner: (ownerId: string) => void;
  onClearFilters: () => void;
  onDrag: Drag['begin'];
  /** Opens where one package costs least; null without routes. */
  onPlace: ((row: WaitingPackage) => void) | null;
}

/** So many packages are shown unfolded. */
const few = 20;

/**
 * What waits, grouped by postal code and town. Groups are unfolded one by one, and their rows loaded as needed; what is little when it
 * is first shown is unfolded by itself.
 */
export function WaitingList(props: WaitingListProps) {
  const { filter, day, chosen, onChosen, onClearFilters } = props;
  const list = useInfiniteQuery(waitingQuery(filter));
  const isFormer = list.isPlaceholderData;
  const scope = JSON.stringify(filter);
  // Of what is shown, which may be the answer before.
  const [{ filtered, ...shown }, setShown] = useState({ scope, filtered: props.filtered });
  const { data: later = 0 } = useQuery({
    ...laterQuery({ all: true, filter }, day),
    enabled: !isFormer && (list.data?.pages[0]?.packages ?? 0) > 0,
    placeholderData: keepPreviousData,
  });
  const [unfolded, setUnfolded] = useState<boolean>();
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  // The last row that was ticked: the other end of a range.
  const last = useRef<string>(null);
  const box = useRef<HTMLDivElement>(null);
  const pending = useDelayedPending(list.isPending);
  const groups = list.data?.pages.flatMap((page) => page.groups) ?? [];
  const matching = list.data?.pages[0];
  if (!isFormer && shown.scope !== scope) {
    setShown({ scope, filtered: props.filtered });
    setUnfolded(undefined);
    setChoices(new Map());
  }
  if (matching && unfolded === undefined) setUnfolded(matching.packages <= few);

  const toggleRow = (row: WaitingPackage, range: boolean) => {
    const on = !isChosen(chosen, row);
    const rows = new Map(loadedRows(queryClient).map((one) => [one.id, one]));
    const shown = [...(box.current?.querySelectorAll<HTMLElement>('[data-waiting]') ?? [])].flatMap(
      (element) => rows.get(element.dataset.waiting ?? '') ?? [],
    );
    const from = shown.findIndex(({ id }) => id === last.current);
    const to = shown.findIndex(({ id }) => id === row.id);
    const affected = range && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [row];
    last.current = row.id;
    onChosen(chooseRows(chosen, affected, on));
  };
  const toggleAll = () => onChosen(allState === true ? nothingChosen : { ...nothingChosen, all: true });
  const states = groups.map((group) => groupState(chosen, group));
  const allState =
    states.length > 0 && states.every((state) => state === true) ? true : states.some(Boolean) && 'mixed';
  // Arrow keys, j and k move between the boxes; Space ticks.
  const moveFocus = useEffectEvent((event: KeyboardEvent) => {
    const row = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('[data-waiting]');
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key === 'p' && isPlain && row && box.current?.contains(row)) {
      const one = loadedRows(queryClient).find(({ id }) => id === row.dataset.waiting);
      if (!one || !props.onPlace) return;
      event.preventDefault();
      props.onPlace(one);
      return;
    }
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const boxes = [...(box.current?.querySelectorAll<HTMLElement>('input[type=checkbox]') ?? [])];
    const at = boxes.findIndex((one) => one === document.activeElement);
    const next = boxes[at + step];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => moveFocus(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  if (list.isError && !list.data) return <QueryError query={list} />;
  if (!list.data)
    return pending ? (
      <div className="p-4">
        <SkeletonGroup label="Loading what waits">
          <div className="flex flex-col gap-2">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((name) => (
              <Skeleton key={name} height="h-8" />
            ))}
          </div>
        </SkeletonGroup>
      </div>
    ) : null;
  if (groups.length === 0)
    return filtered ? (
      <EmptyState
        drawing={<ParcelDrawing kind="missing" />}
        title="Nothing matches these filters"
        action={
          <Button variant="secondary" onClick={onClearFilters}>
            Clear Filters
          </Button>
        }
      />
    ) : (
      <EmptyState
        drawing={<ParcelDrawing kind="done" />}
        title="Nothing waits to be planned"
        description="New packages appear here by themselves."
      />
    );
  return (
    <div ref={box} {...former(isFormer)}>
      <div
        className={classes(
          'sticky top-0 z-10 grid min-h-9 grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-2 border-b border-line bg-surface pr-4 pl-2 text-meta text-ink-3 pointer-coarse:min-h-11',
          wideRow,
        )}
      >
        <TickBox label="Select everything that matches" checked={allState} onToggle={toggleAll} />
        <span className="figures">
          {formatCount(matching?.packages ?? 0)} {filtered ? 'matching' : 'waiting'}
          <span className="@max-[28rem]:hidden">, {formatWeight(matching?.kilograms ?? 0)}</span>
          {later > 0 && (
            <span
              title={`Tried before, and to be tried again after ${formatShortDay(day)}: Split and Plan the day leave them out`}
              className="block"
            >
              {countOfLater(later)} of them for later
            </span>
          )}
        </span>
        <span className="figures @min-[28rem]:hidden">{formatWeight(matching?.kilograms ?? 0)}</span>
        {/* Said of each row to those who do not see the columns. */}
        <span aria-hidden="true" className="contents @max-[28rem]:hidden">
          <span>Window</span>
          <span>Owner</span>
          <span className="text-right">kg</span>
          <span title="Failed attempts" className="flex justify-end pr-0.5">
            <RotateCcw className="size-3.5" />
          </span>
          <span />
        </span>
      </div>
      <ul aria-label="Waiting packages">
        {groups.map((group, index) => {
          const key = groupKey(group);
          const isOpen = choices.get(key) ?? unfolded === true;
          return (
            <li key={key}>
              <GroupHead
                group={group}
                isOnly={groups.length === 1 && !list.hasNextPage}
                state={states[index] ?? false}
                isOpen={isOpen}
                onOpen={() => setChoices((before) => new Map(before).set(key, !isOpen))}
                onToggle={() => onChosen(toggleGroup(chosen, group, groups))}
              />
              {isOpen && <GroupRows {...props} group={group} isAnswered={!isFormer} onToggle={toggleRow} />}
            </li>
          );
        })}
      </ul>
      {list.hasNextPage && (
        <div className="p-3 text-center">
          <Button
            variant="secondary"
            size="sm"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Load more places
          </Button>
        </div>
      )}
    </div>
  );
}

/** What is not of the filter in force is greyed, and nothing of it can be selected or dragged: that would mean other packages. */
const former = (isFormer: boolean) => ({
  inert: isFormer,
  'aria-busy': isFormer,
  className: classes('transition-opacity', isFormer && 'opacity-60'),
});

const nameOf = ({ postalCode, town }: Pick<WaitingGroup, 'postalCode' | 'town'>) =>
  [postalCode, town].filter(Boolean).join(' ') || 'Without an address';

interface GroupHeadProps {
  group: WaitingGroup;
  /** Its weight is that of all, which is said above. */
  isOnly: boolean;
  state: boolean | 'mixed';
  isOpen: boolean;
  onOpen: () => void;
  onToggle: () => void;
}

function GroupHead({ group, isOnly, state, isOpen, onOpen, onToggle }: GroupHeadProps) {
  return (
    <div
      className={classes(
        'flex min-h-8 items-center gap-1 border-b border-line pr-4 pl-2 text-table',
        state === true ? 'bg-brand-soft' : 'bg-canvas',
      )}
    >
      <TickBox label={`Select ${nameOf(group)}`} checked={state} onToggle={onToggle} />
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onOpen}
        className="flex min-h-8 min-w-0 grow items-center gap-2 text-left pointer-coarse:min-h-11"
      >
        <ChevronRight
          aria-hidden="true"
          className={classes('size-4 shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-90')}
        />
        <span className="font-semibold figures text-ink">{group.postalCode}</span>
        <span className="truncate text-ink-2">{group.town ?? (group.postalCode ? '' : 'Without an address')}</span>
        <span className="figures text-ink-3">
          {formatCount(group.packages)}
          <span className="sr-only"> packages</span>
        </span>
      </button>
      {!isOnly && <span className="figures text-ink-3">{formatWeight(group.kilograms)}</span>}
    </div>
  );
}

interface GroupRowsProps extends WaitingListProps {
  group: WaitingGroup;
  isAnswered: boolean;
  onToggle: (row: WaitingPackage, range: boolean) => void;
}

function GroupRows({
  group,
  isAnswered,
  filter,
  day,
  zone,
  chosen,
  onToggle,
  onOwner,
  onDrag,
  onPlace,
}: GroupRowsProps) {
  const list = useInfiniteQuery(waitingRowsQuery(filter, group, isAnswered));
  if (list.isError && !list.data) return <QueryError query={list} />;
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <ul
        aria-label={nameOf(group)}
        {...former(list.isPlaceholderData && isAnswered)}
        aria-busy={list.isPending || list.isPlaceholderData}
      >
        {list.isPending && (
          <li className="px-4 py-2">
            <Skeleton height="h-6" />
          </li>
        )}
        {items.map((row) => (
          <WaitingRow
            key={row.id}
            row={row}
            day={day}
            zone={zone}
            isTicked={isChosen(chosen, row)}
            onToggle={(range) => onToggle(row, range)}
            onOwner={onOwner}
            onDrag={onDrag}
            onPlace={onPlace}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="border-b border-line p-2 text-center">
          <Button variant="ghost" size="sm" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more of {nameOf(group)}
          </Button>
        </div>
      )}
    </>
  );
}

/** The columns of a row where there is room for them. */
const wideRow = '@min-[28rem]:grid-cols-[2rem_minmax(0,1.7fr)_4.75rem_minmax(0,1fr)_2.5rem_1.5rem_2rem]';

interface WaitingRowProps {
  row: WaitingPackage;
  /** The one that is planned. */
  day: string;
  zone: string;
  isTicked: boolean;
  onToggle: (range: boolean) => void;
  onOwner: (ownerId: string) => void;
  onDrag: Drag['begin'];
  onPlace: ((row: WaitingPackage) => void) | null;
}

function WaitingRow({ row, day, zone, isTicked, onToggle, onOwner, onDrag, onPlace }: WaitingRowProps) {
  const street = row.street ?? row.name;
  const window = windowIn(zone, row.window);
  const again = row.proposedDay && (row.proposedDay === day ? 'this day' : formatShortDay(row.proposedDay));
  const state = [row.returns && 'return', row.inVan && 'in the van'].filter(Boolean).join(' · ');
  const attempts = row.attempts > 0 && `${row.attempts} failed ${row.attempts === 1 ? 'attempt' : 'attempts'}`;
  return (
    <li
      data-waiting={row.id}
      onPointerDown={(event) =>
        onDrag(event, { kind: 'row', row, label: street, hint: [row.postalCode, window].filter(Boolean).join(', ') })
      }
      className={classes(
        'grid min-h-8 grid-cols-[2rem_minmax(0,1fr)_auto_auto] items-center gap-x-2 border-b border-line pr-4 pl-2 text-table md:cursor-grab',
        wideRow,
        isTicked && 'bg-brand-soft',
      )}
    >
      <TickBox label={`Select ${street}, ${row.name}`} checked={isTicked} onToggle={onToggle} />
      <span className="min-w-0 py-1">
        <span className="flex min-w-0 items-baseline gap-2 font-medium text-ink">
          <StreetLine street={street} title={`${row.name}, ${row.trackingId}`} />
          {state && <span className="shrink-0 text-meta font-normal text-ink-3 @max-[28rem]:hidden">{state}</span>}
          {row.reference && (
            <span
              title={row.reference}
              className="min-w-0 shrink-1000 truncate text-meta font-normal text-ink-3 @max-[28rem]:hidden"
            >
              {row.reference}
            </span>
          )}
        </span>
        {/* What matters most comes first: the end may be cut off. */}
        <span className="block truncate text-meta text-ink-3 @min-[28rem]:hidden">
          {[state, again && `again ${again}`, window, attempts, row.reference, row.owner].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span
        className={classes(
          'whitespace-nowrap figures @max-[28rem]:hidden',
          window || again ? 'text-ink' : 'text-ink-3',
        )}
      >
        {again ? (
          <span title={`Proposed for the next attempt${window ? `, window ${window}` : ''}`}>{again}</span>
        ) : (
          (window ?? 'any')
        )}
      </span>
      <button
        type="button"
        title={`Only ${row.owner ?? 'this owner'}`}
        onClick={() => onOwner(row.ownerId)}
        className="min-w-0 truncate text-left text-ink-2 hover:text-ink hover:underline @max-[28rem]:hidden"
      >
        {row.owner ?? 'Deleted owner'}
      </button>
      <span className="text-right figures text-ink">
        {row.weight}
        <span className="sr-only"> kg</span>
      </span>
      <span className="text-right @max-[28rem]:hidden">
        {attempts ? (
          <span
            title={attempts}
            className={classes(
              'inline-flex size-5 items-center justify-center rounded-full text-meta font-semibold figures',
              row.attempts > 1 ? 'bg-red-bg text-red-ink' : 'bg-yellow-bg text-yellow-ink',
            )}
          >
            {row.attempts}
            <span className="sr-only"> failed attempts</span>
          </span>
        ) : (
          <span aria-hidden="true" className="text-ink-3">
            –
          </span>
        )}
      </span>
      {onPlace && (
        <button
          type="button"
          aria-label={`Place ${street} where it costs least`}
          title="Place where it costs least (P)"
          onClick={() => onPlace(row)}
          className="-mr-2 inline-flex size-8 items-center justify-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink pointer-coarse:-mr-3.5 pointer-coarse:size-11"
        >
          <MapPinPlus aria-hidden="true" className="size-4" />
        </button>
      )}
    </li>
  );
}
