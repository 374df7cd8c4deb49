import { useNavigate } from '@tanstack/react-router';
import { CreatePackageForm } from '../packages/CreatePackageForm.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';

export function CreatePackagePage() {
  const navigate = useNavigate();
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto max-w-[46rem]">
        <PageTitle
          title="Create New Package"
          subtitle="Fill in the details below to register a new package for shipping"
        />
        <CreatePackageForm onCreated={() => void navigate({ to: '/owner/dashboard' })} />
      </div>
    </div>
  );
}
