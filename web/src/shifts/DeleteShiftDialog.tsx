import type { Shift } from '@waybill/contract';
import { formatLongDay } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useDeleteShift } from './queries.ts';
import { timeOf } from './week.ts';

interface DeleteShiftDialogProps {
  shift: Shift;
  open: boolean;
  onClose: () => void;
}

export function DeleteShiftDialog({ shift, open, onClose }: DeleteShiftDialogProps) {
  const remove = useDeleteShift(shift.id);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Delete shift"
      description="Are you sure you want to delete this shift?"
      confirmLabel="Delete"
      loadingText="Deleting..."
      danger
      act={remove}
      error={remove.error?.message}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast({ title: 'Shift deleted' });
            onClose();
          },
        })
      }
    >
      <p className="text-ui font-medium wrap-anywhere">
        {shift.driver ?? 'Deleted driver'}{' '}
        <span className="figures font-normal text-ink-2">
          {formatLongDay(shift.startsAt)}, {timeOf(shift.startsAt)} to {timeOf(shift.endsAt)}
        </span>
      </p>
    </ConfirmDialog>
  );
}
