import type { Package } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useEndPackage } from './queries.ts';
import { TrackingId } from './TrackingId.tsx';

interface DeletePackageDialogProps {
  pkg: Pick<Package, 'id' | 'name' | 'trackingId'>;
  open: boolean;
  onClose: () => void;
}

export function DeletePackageDialog({ pkg, open, onClose }: DeletePackageDialogProps) {
  const end = useEndPackage(pkg.id);
  const remove = () =>
    end.mutate('inactive', {
      onSuccess: () => {
        toast({ title: 'Package deleted', description: pkg.name });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Delete package"
      description="Are you sure you want to delete this package?"
      confirmLabel="Delete"
      loadingText="Deleting..."
      danger
      act={end}
      error={end.error ? end.error.message || 'Failed to update package.' : undefined}
      onConfirm={remove}
    >
      <p className="text-ui font-medium wrap-anywhere">
        {pkg.name}
        <span className="mt-0.5 block font-normal text-ink-2">
          <TrackingId id={pkg.trackingId} />
        </span>
      </p>
    </ConfirmDialog>
  );
}
