import { useNavigate } from '@tanstack/react-router';
import { usePageSearch } from '../app/usePageSearch.ts';
import type { DeliverySearch } from '../deliveries/search.ts';
import { texts } from '../deliveries/texts.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { DriverWorkspace } from './parts/DriverWorkspace.tsx';

/** Only visitors see it. */
const DeliveriesPreview = lazyComponent(() =>
  importWithRetry(() => import('../deliveries/DeliveriesPreview.tsx')).then((module) => module.DeliveriesPreview),
);

/** Awaited before the page is shown. */
export { loadDriverTexts } from './parts/load-driver-texts.ts';

export function DriverDashboardPage() {
  const { user } = useSession();
  const search = usePageSearch('driverDashboard');
  const navigate = useNavigate({ from: '/driver/dashboard' });
  const onSearch = (change: DeliverySearch) =>
    void navigate({
      search: (before) => ({ ...before, pages: undefined, ...change }),
      replace: replacesHistory(change),
      resetScroll: false,
    });
  usePageTitle(texts.title);
  if (user) return <DriverWorkspace search={search} onSearch={onSearch} />;
  return (
    <div className="page py-6 md:py-8">
      <PageTitle title={texts.title} />
      <DeliveriesPreview show={search.show} onShow={(show) => onSearch({ show })} />
    </div>
  );
}
