import { ApiError, ReopenInput } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { useReopen } from './queries.ts';

const formId = 'reopen-delivery';

interface ReopenDialogProps {
  pkg: Pick<Package, 'id' | 'name' | 'driverId' | 'rating'>;
  open: boolean;
  onClose: () => void;
  /** Called after success and failure. */
  onSettled: () => void;
}

/** Takes back a completion that was a mistake, and says what that means. */
export function ReopenDialog({ pkg, open, onClose, onSettled }: ReopenDialogProps) {
  const reopen = useReopen(pkg.id);
  const form = useForm(ReopenInput, submit, {
    initial: { reason: '' },
    refusal: reopen.error,
    draft: `reopened ${pkg.id}`,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;

  function submit({ reason }: { reason: string }) {
    reopen.mutate(reason, {
      onSuccess: () => {
        form.saved();
        toast({ title: 'Delivery reopened', description: `“${pkg.name}” counts as not delivered` });
        onClose();
      },
      onError: (refusal) => {
        toast({ title: 'Error', description: refusal.message, variant: 'destructive' });
        if (refusal instanceof ApiError && refusal.code === 'illegal_step') onClose();
      },
      onSettled,
    });
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={reopen}
      title="Reopen delivery"
      description={`“${pkg.name}” was marked as delivered by mistake.`}
      unsaved={form.changed}
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            variant="danger"
            size="lg"
            loading={reopen.isPending}
            loadingText="Reopening..."
          >
            Reopen
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <ul className="flex list-disc flex-col gap-1 pl-5 text-ui text-ink-2">
          <li>
            {pkg.driverId
              ? 'It is on the road again with its driver. If that account is not active any more, it waits for another one.'
              : 'It waits at the depot again.'}
          </li>
          <li>Its proof stays in the history as void{pkg.rating && ', and its rating is removed'}.</li>
          <li>The delivery does not count in the figures.</li>
          <li>Its owner, its driver and its public page say so at once.</li>
        </ul>
        <Field label="Reason" hint="Its owner and its driver read it" error={errors.reason?.message}>
          <Textarea {...form.register('reason')} rows={2} maxLength={200} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  );
}
