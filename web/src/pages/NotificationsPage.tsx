import { ArrowLeft } from 'lucide-react';
import { NotificationList } from '../notifications/NotificationList.tsx';
import { useLiveNotifications } from '../notifications/queries.ts';
import { ReadAllButton } from '../notifications/ReadAllButton.tsx';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { dashboardOf } from '../users/dashboards.ts';

export function NotificationsPage() {
  usePageTitle('Notifications');
  useLiveNotifications();
  const { role } = useSession();
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto max-w-[46rem]">
        <PageTitle
          title="Notifications"
          before={
            <a
              href={dashboardOf(role)}
              className="inline-flex min-h-9 items-center gap-1.5 rounded-control text-ui font-medium text-ink-2 hover:text-ink"
            >
              <ArrowLeft aria-hidden="true" className="size-4" />
              Dashboard
            </a>
          }
          actions={<ReadAllButton />}
        />
        <NotificationList />
      </div>
    </div>
  );
}
