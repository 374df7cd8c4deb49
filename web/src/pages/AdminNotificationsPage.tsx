import { useInfiniteQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useOpenRow } from '../app/useOpenRow.ts';
import { usePageSearch } from '../app/usePageSearch.ts';
import type { AdminNotificationSearch } from '../notifications/search.ts';
import { sentListQuery, useExportSent } from '../notifications/sent-queries.ts';
import { SentFilters } from '../notifications/SentFilters.tsx';
import { SentList } from '../notifications/SentList.tsx';
import { SentPanel } from '../notifications/SentPanel.tsx';
import { replacesHistory } from '../platform/search-params.ts';
import { Button } from '../ui/Button.tsx';
import { totalOf } from '../platform/usePages.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { AdminPage } from '../app/AdminPage.tsx';

/** Awaited before the page is shown. */
export { loadNoticeTexts } from '../notifications/texts.ts';

export function AdminNotificationsPage() {
  const search = usePageSearch('adminNotifications');
  const navigate = useNavigate();
  const exportSent = useExportSent();
  const change = (next: AdminNotificationSearch) =>
    void navigate({
      to: '/admin/notifications',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });
  const row = useOpenRow(
    (open, step) =>
      void navigate({ to: '/admin/notifications', search: { ...search, open }, resetScroll: false, ...step }),
  );
  const { data } = useInfiniteQuery(sentListQuery(search));
  const rows = data?.pages.flatMap((page) => page.items) ?? [];
  if (search.tab === 'messages') return <Navigate to="/admin/messages" search={{ q: search.q }} replace />;
  return (
    <AdminPage
      panel={
        search.open !== undefined && (
          <SentPanel
            id={search.open}
            rows={rows}
            total={totalOf(data)}
            onOpen={(id) => row.open(id, true)}
            onClose={row.close}
          />
        )
      }
    >
      <PageTitle
        title="Outbox"
        subtitle="What was sent to whom, what waits, and what could not be sent"
        actions={
          <Button
            variant="secondary"
            icon={<Download aria-hidden="true" className="size-4" />}
            loading={exportSent.isPending}
            onClick={() => exportSent.mutate(search)}
          >
            Export CSV
          </Button>
        }
      />
      <div className="flex flex-col gap-3">
        <SentFilters search={search} onSearch={change} />
        <SentList
          search={search}
          onPages={(pages) => change({ pages })}
          onOpen={row.open}
          onClearFilters={() => void navigate({ to: '/admin/notifications', search: {}, resetScroll: false })}
        />
      </div>
    </AdminPage>
  );
}
