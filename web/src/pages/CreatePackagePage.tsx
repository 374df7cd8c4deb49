import { useNavigate } from '@tanstack/react-router';
import type { Package } from '@waybill/contract';
import { CreateLabel } from '../labels/CreateLabel.tsx';
import { saveLabelsWithToast } from '../labels/print.ts';
import { CreatePackageForm } from '../packages/CreatePackageForm.tsx';
import { toast } from '../platform/toasts.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

export function CreatePackagePage() {
  const navigate = useNavigate();
  const leave = ({ id, name }: Package) => {
    toast({
      title: 'Package created!',
      description: `Successfully created package: ${name}`,
      action: { label: 'Print label', act: () => void saveLabelsWithToast([id]) },
    });
    void navigate({ to: '/owner/dashboard' });
  };
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto max-w-[46rem] lg:max-w-none">
        <PageTitle
          title="Create New Package"
          subtitle="Fill in the details below to register a new package for shipping"
        />
        <CreatePackageForm onCreated={leave} label={<CreateLabel />} />
      </div>
    </div>
  );
}
