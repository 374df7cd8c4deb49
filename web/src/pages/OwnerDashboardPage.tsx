import { usePageTitle } from '../platform/page-title.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

export function OwnerDashboardPage() {
  usePageTitle('Package Owner Dashboard');
  return (
    <div className="page py-8">
      <PageTitle title="Package Owner Dashboard" />
    </div>
  );
}
