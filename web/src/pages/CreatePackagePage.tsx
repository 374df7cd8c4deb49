import { usePageTitle } from '../platform/page-title.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

export function CreatePackagePage() {
  usePageTitle('Create New Package');
  return (
    <div className="page py-8">
      <PageTitle title="Create New Package" />
    </div>
  );
}
