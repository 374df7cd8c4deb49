import type { Package } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useEndPackage } from './queries.ts';

interface CancelPackageDialogProps {
  pkg: Pick<Package, 'id' | 'name'>;
  open: boolean;
  onClose: () => void;
}

export function CancelPackageDialog({ pkg, open, onClose }: CancelPackageDialogProps) {
  const end = useEndPackage(pkg.id);
  const cancel = () =>
    end.mutate('cancelled', {
      onSuccess: () => {
        toast({ title: 'Package cancelled', description: pkg.name });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Cancel package"
      description="Are you sure you want to cancel this package? No driver will be able to pick it up any more."
      confirmLabel="Cancel package"
      cancelLabel="Keep package"
      loadingText="Cancelling..."
      danger
      act={end}
      error={end.error?.message}
      onConfirm={cancel}
    />
  );
}
