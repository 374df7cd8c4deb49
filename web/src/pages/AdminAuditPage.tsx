import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Eye, ScrollText } from 'lucide-react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { NotificationListSkeleton } from '../notifications/NotificationListSkeleton.tsx';
import { replacesHistory } from '../platform/search-params.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ListCard } from '../ui/ListCard.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { AdminPage } from '../app/AdminPage.tsx';
import { auditQuery, contactViewsQuery, useExportAudit } from '../audit/queries.ts';
import type { AuditSearch } from '../audit/search.ts';
import { AuditFilters } from '../audit/AuditFilters.tsx';
import { AuditTable } from './parts/AuditTable.tsx';
import { ContactViewTable } from './parts/ContactViewTable.tsx';

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
  const list = { search, onPages: (pages: number) => change({ pages }) };
  const tab = search.tab ?? 'log';
  return (
    <AdminPage>
      <PageTitle
        title="Audit Log"
        subtitle="Who did what with other people’s rights and data, and from where"
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
        label="Acts and seen contacts"
        items={[
          { value: 'log', label: 'Acts' },
          { value: 'contacts', label: 'Seen Contacts' },
        ]}
        value={tab}
        onValueChange={(next) => go({ tab: next === 'contacts' ? next : undefined })}
      >
        <div className="flex flex-col gap-4">
          <AuditFilters search={search} onSearch={change} />
          {tab === 'log' ? <Acts {...list} /> : <SeenContacts {...list} />}
        </div>
      </Tabs>
    </AdminPage>
  );
}

interface ListProps {
  search: AuditSearch;
  onPages: (pages: number) => void;
}

function Acts({ search, onPages }: ListProps) {
  const list = useInfiniteQuery(auditQuery(search));
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      skeleton={<NotificationListSkeleton label="Loading the audit log" />}
      empty={
        <EmptyState
          icon={<ScrollText />}
          title="No entries found"
          description="Nothing was done that matches these filters."
        />
      }
    >
      {(entries) => <AuditTable entries={entries} />}
    </ListCard>
  );
}

function SeenContacts({ search, onPages }: ListProps) {
  const list = useInfiniteQuery(contactViewsQuery(search));
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      skeleton={<NotificationListSkeleton label="Loading who saw contacts" />}
      empty={
        <EmptyState
          icon={<Eye />}
          title="Nobody found"
          description="Nobody of the staff saw the contact of a recipient that matches these filters."
        />
      }
    >
      {(views) => <ContactViewTable views={views} />}
    </ListCard>
  );
}
