import { usePageTitle } from '../platform/page-title.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

export function PackageDetailPage() {
  usePageTitle('Package');
  return (
    <div className="page py-8">
      <PageTitle title="Package" />
    </div>
  );
}
