import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Settings2 } from 'lucide-react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { NotificationList } from '../notifications/NotificationList.tsx';
import { unreadCountQuery } from '../notifications/queries.ts';
import type { NotificationSearch } from '../notifications/search.ts';
import { ReadAllButton } from '../notifications/ReadAllButton.tsx';
import { noticeTexts } from '../notifications/texts.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { dashboardOf } from '../users/dashboards.ts';

/** Awaited before the page is shown. */
export { loadNoticeTexts } from '../notifications/texts.ts';

export function NotificationsPage() {
  const { role } = useSession();
  const words = noticeTexts();
  usePageTitle(words.title);
  const search = usePageSearch('notifications');
  const navigate = useNavigate();
  const go = (next: NotificationSearch) =>
    void navigate({ to: '/notifications', search: next, replace: 'pages' in next, resetScroll: false });
  const { data: unread } = useQuery(unreadCountQuery());
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto lg:max-w-[46rem]">
        <PageTitle
          title={words.title}
          before={
            <a
              href={dashboardOf(role)}
              className="inline-flex min-h-9 items-center gap-1.5 rounded-control text-ui font-medium text-ink-2 hover:text-ink"
            >
              <ArrowLeft aria-hidden="true" className="size-4" />
              {words.dashboard}
            </a>
          }
          actions={
            <>
              <ReadAllButton />
              <LinkButton
                variant="secondary"
                href="/notifications/preferences"
                icon={<Settings2 aria-hidden="true" className="size-4" />}
              >
                {words.preferences}
              </LinkButton>
            </>
          }
        />
        <Tabs
          label={words.title}
          items={[
            { value: 'all', label: words.all },
            { value: 'unread', label: words.unread, count: unread },
          ]}
          value={search.show ?? 'all'}
          onValueChange={(tab) => go({ show: tab === 'unread' ? tab : undefined })}
        >
          <NotificationList search={search} onPages={(pages) => go({ ...search, pages })} />
        </Tabs>
      </div>
    </div>
  );
}
