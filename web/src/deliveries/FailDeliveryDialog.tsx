import { ApiError, FailInput } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import * as z from 'zod/mini';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { fromText } from '../platform/text-inputs.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useFailDelivery } from './queries.ts';

const formId = 'fail-delivery';
const other = 'Other';
/** The most frequent reasons, one tap each. */
const reasons = ['Nobody was at home', 'Address not found', 'Refused by the recipient', 'Package damaged', other];
/** For dispatchers, who return a delivery on the driver's behalf. */
const dispatcherReasons = ['Driver not available', ...reasons];

const rules = FailInput.shape;
/** One of the reasons; free text for Other. */
const Failure = z
  .object({
    chosen: z.string().check(z.minLength(1, 'Please choose a reason')),
    reason: z.string(),
    location: fromText(rules.location),
  })
  .check(({ value, issues }) => {
    if (value.chosen !== other) return;
    for (const { message } of rules.reason.safeParse(value.reason).error?.issues ?? [])
      issues.push({ code: 'custom', input: value, path: ['reason'], message });
  });

interface FailDeliveryDialogProps {
  delivery: Pick<Delivery, 'id' | 'packageName'>;
  open: boolean;
  onClose: () => void;
  /** Called after success and failure. */
  onSettled?: () => void;
}

/** Fails the attempt with a reason; the package waits for a driver again. */
export function FailDeliveryDialog({ delivery, open, onClose, onSettled }: FailDeliveryDialogProps) {
  const fail = useFailDelivery(delivery.id);
  const form = useForm(Failure, submit, {
    initial: { chosen: '', reason: '', location: '' },
    refusal: fail.error,
    draft: `failed ${delivery.id}`,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const { user } = useSession();
  const offered = user?.role === 'driver' ? reasons : dispatcherReasons;

  function submit({ chosen, reason, location }: z.output<typeof Failure>) {
    fail.mutate(
      { reason: chosen === other ? reason : chosen, location },
      {
        onSuccess: () => {
          form.saved();
          toast({ title: 'Delivery failed', description: `“${delivery.packageName}” is a pending delivery again` });
          onClose();
        },
        onError: (refusal) => {
          toast({ title: 'Error', description: refusal.message, variant: 'destructive' });
          if (refusal instanceof ApiError && (refusal.status === 404 || refusal.code === 'illegal_step')) onClose();
        },
        onSettled,
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={fail}
      title="Delivery failed"
      unsaved={form.changed}
      description={`“${delivery.packageName}” goes back to the pending deliveries.`}
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            variant="danger"
            size="xl"
            loading={fail.isPending}
            loadingText="Sending..."
          >
            Delivery failed
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit}>
        <fieldset>
          <legend className="mb-2 text-ui font-medium">Reason</legend>
          <div className="flex flex-col gap-2">
            {offered.map((reason) => (
              <label
                key={reason}
                className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-line px-4 text-body transition-colors has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
              >
                <input
                  {...form.register('chosen')}
                  type="radio"
                  value={reason}
                  className="size-5 accent-brand outline-none"
                />
                {reason}
              </label>
            ))}
          </div>
          {errors.chosen && (
            <p role="alert" className="mt-2 text-table text-danger">
              {errors.chosen.message}
            </p>
          )}
        </fieldset>
        {form.watch('chosen') === other && (
          <div className="mt-4">
            <Field label="What happened?" error={errors.reason?.message}>
              <Input {...form.register('reason')} maxLength={200} autoComplete="off" />
            </Field>
          </div>
        )}
        <div className="mt-4">
          <Field label="Where is it now?" optional hint="Shown on its public page too" error={errors.location?.message}>
            <Input {...form.register('location')} maxLength={200} autoComplete="off" />
          </Field>
        </div>
      </form>
    </Dialog>
  );
}
