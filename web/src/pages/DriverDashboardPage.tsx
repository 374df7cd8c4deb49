import { getRouteApi } from '@tanstack/react-router';
import { DeliveriesPreview } from '../deliveries/DeliveriesPreview.tsx';
import type { DeliverySearch } from '../deliveries/search.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { staysInPlace } from '../platform/search-params.ts';
import { useSession } from '../platform/session.ts';
import { OwnDuty } from '../shifts/OwnDuty.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { DriverWork } from './DriverWork.tsx';

const route = getRouteApi('/drivers/driver/dashboard');

export function DriverDashboardPage() {
  usePageTitle('Driver Dashboard');
  const { user } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: DeliverySearch) =>
    void navigate({
      search: (before) => ({ ...before, pages: undefined, ...change }),
      replace: staysInPlace(change),
      resetScroll: false,
    });
  return (
    <div className="page py-6 md:py-8">
      <PageTitle title="Driver Dashboard" subtitle={user?.role === 'driver' && <OwnDuty />} />
      {user ? (
        <DriverWork search={search} onSearch={onSearch} />
      ) : (
        <DeliveriesPreview show={search.show} onShow={(show) => onSearch({ show })} />
      )}
    </div>
  );
}
