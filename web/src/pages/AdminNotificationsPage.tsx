import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { usePageSearch } from '../app/usePageSearch.ts';
import { MessageFilters } from '../contact/MessageFilters.tsx';
import { MessageList } from '../contact/MessageList.tsx';
import { openMessagesQuery, useLiveMessages } from '../contact/queries.ts';
import type { AdminNotificationSearch } from '../notifications/search.ts';
import { useExportSent } from '../notifications/sent-queries.ts';
import { SentFilters } from '../notifications/SentFilters.tsx';
import { SentList } from '../notifications/SentList.tsx';
import { replacesHistory } from '../platform/search-params.ts';
import { Button } from '../ui/Button.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { AdminPage } from '../app/AdminPage.tsx';

export function AdminNotificationsPage() {
  useLiveMessages();
  const search = usePageSearch('adminNotifications');
  const navigate = useNavigate();
  const open = useQuery(openMessagesQuery());
  const exportSent = useExportSent();
  const go = (next: AdminNotificationSearch) =>
    void navigate({ to: '/admin/notifications', search: next, resetScroll: false });
  const change = (next: AdminNotificationSearch) =>
    void navigate({
      to: '/admin/notifications',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });
  const onPages = (pages: number) => change({ pages });
  const tab = search.tab ?? 'sent';
  return (
    <AdminPage>
      <PageTitle
        title="Notifications"
        subtitle="What was sent to whom, and what visitors write"
        actions={
          tab === 'sent' && (
            <Button
              variant="secondary"
              icon={<Download aria-hidden="true" className="size-4" />}
              loading={exportSent.isPending}
              onClick={() => exportSent.mutate(search)}
            >
              Export CSV
            </Button>
          )
        }
      />
      <Tabs
        label="Notifications and messages"
        items={[
          { value: 'sent', label: 'Sent' },
          { value: 'messages', label: 'Messages', count: open.data || undefined },
        ]}
        value={tab}
        onValueChange={(next) => go({ tab: next === 'messages' ? next : undefined })}
      >
        <div className="flex flex-col gap-4">
          {tab === 'sent' ? (
            <>
              <SentFilters search={search} onSearch={change} />
              <SentList search={search} onPages={onPages} />
            </>
          ) : (
            <>
              <MessageFilters search={search} onSearch={change} />
              <MessageList search={search} onPages={onPages} />
            </>
          )}
        </div>
      </Tabs>
    </AdminPage>
  );
}
