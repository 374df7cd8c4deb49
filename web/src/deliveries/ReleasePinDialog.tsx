import { ApiError } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { useState } from 'react';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { useReleasePin } from './queries.ts';

interface ReleasePinDialogProps {
  pkg: Pick<Package, 'id' | 'name' | 'pinState' | 'recipientName'>;
  open: boolean;
  onClose: () => void;
  /** Called after success and failure. */
  onSettled: () => void;
}

/** After too many wrong PINs: the driver may try again, or need not ask any more. */
export function ReleasePinDialog({ pkg, open, onClose, onSettled }: ReleasePinDialogProps) {
  const release = useReleasePin(pkg.id);
  const isLocked = pkg.pinState === 'locked';
  const [waives, setWaives] = useState(!isLocked);
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={release}
      title="Release the PIN"
      description={
        isLocked
          ? `Too many wrong PINs were tried for “${pkg.name}”: the driver cannot hand it over.`
          : `“${pkg.name}” is handed over to whoever says its PIN.`
      }
      footer={
        <>
          <DialogClose />
          <Button
            size="lg"
            variant={waives ? 'danger' : 'primary'}
            disabled={!isLocked && !waives}
            loading={release.isPending}
            loadingText="Releasing..."
            onClick={() =>
              release.mutate(waives, {
                onSuccess: () => {
                  toast({
                    title: 'PIN released',
                    description: waives ? 'The driver need not ask for it' : 'The driver has five more tries',
                  });
                  onClose();
                },
                onError: (refusal) => {
                  toast({ title: 'Error', description: refusal.message, variant: 'destructive' });
                  if (refusal instanceof ApiError && refusal.code === 'illegal_step') onClose();
                },
                onSettled,
              })
            }
          >
            Release
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {isLocked && (
          <p className="text-ui text-ink-2">
            The driver has five more tries then. {pkg.recipientName} finds the PIN in the messages and on their page.
          </p>
        )}
        <Checkbox
          label="Do not ask for the PIN any more"
          hint="Only if you know who stands at the door. The proof says that it was released, and the audit log by whom."
          checked={waives}
          onChange={({ target }) => setWaives(target.checked)}
        />
      </div>
    </Dialog>
  );
}
