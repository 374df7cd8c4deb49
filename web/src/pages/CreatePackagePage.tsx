import { useNavigate } from '@tanstack/react-router';
import type { Package } from '@waybill/contract';
import { CreateLabel } from '../labels/CreateLabel.tsx';
import { saveLabelsWithToast } from '../labels/print.ts';
import { CreatePackageForm } from '../packages/CreatePackageForm.tsx';
import { toast } from '../platform/toasts.ts';

export function CreatePackagePage() {
  const navigate = useNavigate();
  const created = ({ id, name }: Package, { print, another }: { print: boolean; another: boolean }) => {
    toast({
      title: 'Package created!',
      description: `Successfully created package: ${name}`,
      action: print ? undefined : { label: 'Print label', act: () => void saveLabelsWithToast([id]) },
    });
    if (print) void saveLabelsWithToast([id]);
    if (!another) void navigate({ to: '/owner/dashboard' });
  };
  return <CreatePackageForm onCreated={created} label={<CreateLabel />} />;
}
