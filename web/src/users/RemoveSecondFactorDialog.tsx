import type { User } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useRemoveSecondFactorOf } from './second-factor-queries.ts';

interface RemoveSecondFactorDialogProps {
  user: Pick<User, 'id' | 'name'>;
  open: boolean;
  onClose: () => void;
}

/** Removes the second factor of a user who has lost both phone and recovery codes. */
export function RemoveSecondFactorDialog({ user, open, onClose }: RemoveSecondFactorDialogProps) {
  const remove = useRemoveSecondFactorOf(user.id);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Remove the second factor?"
      description={`The password alone signs ${user.name} in then, until they set up another one. They are told.`}
      confirmLabel="Remove"
      danger
      act={remove}
      loadingText="Removing…"
      error={remove.error?.message}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            onClose();
            toast({ title: 'Second factor removed', description: `${user.name} signs in with the password alone.` });
          },
        })
      }
    />
  );
}
