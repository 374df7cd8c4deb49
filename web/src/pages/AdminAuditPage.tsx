import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ContactView } from '@waybill/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useOpenRow } from '../app/useOpenRow.ts';
import { usePageSearch } from '../app/usePageSearch.ts';
import { packageHref } from '../packages/links.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { ListCard } from '../ui/ListCard.tsx';
import { totalOf } from '../platform/usePages.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { TableSkeleton } from '../ui/TableSkeleton.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { AdminPage } from '../app/AdminPage.tsx';
import { auditQuery, contactViewsQuery, useExportAudit } from '../audit/queries.ts';
import { actTexts } from '../audit/audit-texts.ts';
import type { AuditSearch } from '../audit/search.ts';
import { auditColumns, contactViewColumns } from '../audit/audit-columns.tsx';
import { AuditFilters } from './parts/AuditFilters.tsx';
import { AuditPanel } from './parts/AuditPanel.tsx';

/** The audit log: who changed other people's permissions and data, and who saw recipients' contact details. */
export function AdminAuditPage() {
  const search = usePageSearch('adminAudit');
  const navigate = useNavigate();
  const exportAudit = useExportAudit();
  const go = (next: AuditSearch) => void navigate({ to: '/admin/audit', search: next, resetScroll: false });
  const change = (next: AuditSearch) =>
    void navigate({
      to: '/admin/audit',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next) || 'package' in next,
      resetScroll: false,
    });
  const row = useOpenRow(
    (open, step) => void navigate({ to: '/admin/audit', search: { ...search, open }, resetScroll: false, ...step }),
  );
  // Filters that are cleared begin anew, chosen days too.
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setClearings(clearings + 1);
    go({ tab: search.tab });
  };
  const list = { search, onPages: (pages: number) => change({ pages }), onClearFilters: clear };
  const tab = search.tab ?? 'log';
  return (
    <AdminPage
      panel={
        tab === 'log' &&
        search.open !== undefined && (
          <OpenEntry id={search.open} search={search} onOpen={(id) => row.open(id, true)} onClose={row.close} />
        )
      }
    >
      <PageTitle
        title="Audit Log"
        subtitle="Who did what with other people's rights and data, and from where"
        actions={
          tab === 'log' && (
            <Button
              variant="secondary"
              icon={<Download aria-hidden="true" className="size-4" />}
              loading={exportAudit.isPending}
              onClick={() => exportAudit.mutate(search)}
            >
              Export CSV
            </Button>
          )
        }
      />
      <Tabs
        label="Actions and contact views"
        items={[
          { value: 'log', label: 'Actions' },
          { value: 'contacts', label: 'Contact Views' },
        ]}
        value={tab}
        onValueChange={(next) => go({ tab: next === 'contacts' ? next : undefined })}
      >
        <div className="flex flex-col gap-3">
          <AuditFilters key={`${tab} ${clearings}`} search={search} onSearch={change} />
          {tab === 'log' ? <Acts {...list} onOpen={row.open} /> : <SeenContacts {...list} />}
        </div>
      </Tabs>
    </AdminPage>
  );
}

interface ListProps {
  search: AuditSearch;
  onPages: (pages: number) => void;
  onClearFilters: () => void;
}

function Acts({
  search,
  onPages,
  onClearFilters,
  onOpen,
}: ListProps & { onOpen: (id: string, replace: boolean) => void }) {
  const list = useInfiniteQuery(auditQuery(search));
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      table
      skeleton={<TableSkeleton label="Loading the audit log" />}
      empty={
        <EmptyState
          drawing={<ParcelDrawing kind="missing" />}
          title="No entries found"
          description="No action matches these filters."
          action={<ClearFilters search={search} onClear={onClearFilters} />}
        />
      }
    >
      {(entries, more) => (
        <DataTable
          label="Audit log"
          columns={auditColumns}
          groups={ungrouped(entries)}
          idOf={({ id }) => String(id)}
          nameOf={({ act }) => actTexts[act]}
          openId={search.open}
          onOpen={onOpen}
          more={more}
        />
      )}
    </ListCard>
  );
}

const isFiltered = ({ q, act, package: id, from, to }: AuditSearch) => Boolean(q || act || id || from || to);

function ClearFilters({ search, onClear }: { search: AuditSearch; onClear: () => void }) {
  if (!isFiltered(search)) return null;
  return (
    <Button variant="secondary" onClick={onClear}>
      Clear filters
    </Button>
  );
}

interface OpenEntryProps {
  id: string;
  search: AuditSearch;
  onOpen: (id: string) => void;
  onClose: () => void;
}

function OpenEntry({ search, ...panel }: OpenEntryProps) {
  const { data } = useInfiniteQuery(auditQuery(search));
  const entries = data?.pages.flatMap((page) => page.items) ?? [];
  return <AuditPanel {...panel} entries={entries} total={totalOf(data)} />;
}

function SeenContacts({ search, onPages, onClearFilters }: ListProps) {
  const session = useSession();
  const hrefOf = ({ packageId, trackingId }: ContactView) =>
    trackingId === null ? undefined : packageHref({ id: packageId, trackingId }, session);
  const list = useInfiniteQuery(contactViewsQuery(search));
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      table
      skeleton={<TableSkeleton label="Loading who saw contacts" />}
      empty={
        <EmptyState
          drawing={<ParcelDrawing kind={isFiltered(search) ? 'missing' : 'open'} />}
          title="No contact views found"
          description={
            isFiltered(search)
              ? 'No view of a contact matches these filters.'
              : 'Nobody on the staff has seen the contact of a recipient yet.'
          }
          action={<ClearFilters search={search} onClear={onClearFilters} />}
        />
      }
    >
      {(views, more) => (
        <DataTable
          label="Who saw contacts"
          columns={contactViewColumns}
          groups={ungrouped(views)}
          idOf={({ id }) => String(id)}
          nameOf={({ viewerName }) => viewerName ?? 'Account deleted'}
          hrefOf={hrefOf}
          more={more}
        />
      )}
    </ListCard>
  );
}
