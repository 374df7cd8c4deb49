import { ApiError, FailInput } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useFocusFault } from '../ui/useFocusFault.ts';
import { useFailDelivery } from './queries.ts';

const formId = 'fail-delivery';
const other = 'Other';
/** What happens at most doors, a tap each. */
const reasons = ['Nobody was at home', 'Address not found', 'Refused by the recipient', 'Package damaged', other];
/** Why somebody else gives it back in the driver's place. */
const reasonsOfOthers = ['Driver not available', ...reasons];

interface FailDeliveryDialogProps {
  delivery: Pick<Delivery, 'id' | 'packageName'>;
  open: boolean;
  onClose: () => void;
  /** Called whatever came of it. */
  onSettled?: () => void;
}

/** Gives the delivery back, with the reason; it waits for a driver again. */
export function FailDeliveryDialog({ delivery, open, onClose, onSettled }: FailDeliveryDialogProps) {
  const draft = useDraft(`failed ${delivery.id}`, { chosen: '', typed: '', place: '' }, open);
  const { chosen, typed, place } = draft.values;
  const [error, setError] = useState<string>();
  const form = useFocusFault(error);
  const fail = useFailDelivery(delivery.id);
  const { user } = useSession();
  const offered = user?.role === 'driver' ? reasons : reasonsOfOthers;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fail.isPending) return;
    const reason = chosen === other ? typed.trim() : chosen;
    if (chosen === '') return setError('Please choose a reason');
    const { error: fault } = FailInput.shape.reason.safeParse(reason);
    if (fault) return setError(fault.issues[0]?.message);
    setError(undefined);
    fail.mutate(
      { reason, location: place },
      {
        onSuccess: () => {
          draft.saved();
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
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={fail}
      title="Delivery failed"
      unsaved={draft.dirty}
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
      <form ref={form} id={formId} noValidate onSubmit={submit}>
        <fieldset>
          <legend className="mb-2 text-ui font-medium">Reason</legend>
          <div className="flex flex-col gap-2">
            {offered.map((reason) => (
              <label
                key={reason}
                className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-line px-4 text-body transition-colors has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
              >
                <input
                  type="radio"
                  name="reason"
                  value={reason}
                  checked={chosen === reason}
                  onChange={() => {
                    draft.change({ chosen: reason });
                    setError(undefined);
                  }}
                  className="size-5 accent-brand outline-none"
                />
                {reason}
              </label>
            ))}
          </div>
          {chosen === '' && error && (
            <p role="alert" className="mt-2 text-table text-danger">
              {error}
            </p>
          )}
        </fieldset>
        {chosen === other && (
          <div className="mt-4">
            <Field label="What happened?" error={error}>
              <Input
                value={typed}
                maxLength={200}
                autoComplete="off"
                onChange={(event) => draft.change({ typed: event.target.value })}
              />
            </Field>
          </div>
        )}
        <div className="mt-4">
          <Field label="Where is it now?" optional hint="Shown on its public page too">
            <Input
              value={place}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => draft.change({ place: event.target.value })}
            />
          </Field>
        </div>
      </form>
    </Dialog>
  );
}
