import { usePageTitle } from '../platform/page-title.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

export function DriverDashboardPage() {
  usePageTitle('Driver Dashboard');
  return (
    <div className="page py-8">
      <PageTitle title="Driver Dashboard" />
    </div>
  );
}
