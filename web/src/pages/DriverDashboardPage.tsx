import { useNavigate } from '@tanstack/react-router';
import { usePageSearch } from '../app/usePageSearch.ts';
import { DeliveriesPreview } from '../deliveries/DeliveriesPreview.tsx';
import type { DeliverySearch } from '../deliveries/search.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { useSession } from '../platform/session.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { DriverWorkspace } from './parts/DriverWorkspace.tsx';

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
  if (user) return <DriverWorkspace search={search} onSearch={onSearch} />;
  return (
    <div className="page py-6 md:py-8">
      <PageTitle title="Driver Dashboard" />
      <DeliveriesPreview show={search.show} onShow={(show) => onSearch({ show })} />
    </div>
  );
}
