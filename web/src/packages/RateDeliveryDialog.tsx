import type { Package } from '@waybill/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { StarChoice } from '../ui/StarChoice.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { useRatePackage } from './queries.ts';

const formId = 'rate-delivery';

interface RateDeliveryDialogProps {
  pkg: Pick<Package, 'id' | 'name'>;
  open: boolean;
  onClose: () => void;
}

/** Stars and a comment, once for each delivery. */
export function RateDeliveryDialog({ pkg, open, onClose }: RateDeliveryDialogProps) {
  const draft = useDraft(`rating ${pkg.id}`, { stars: 0, comment: '' }, open);
  const { stars, comment } = draft.values;
  const [error, setError] = useState<string>();
  const rate = useRatePackage(pkg.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (stars === 0) return setError('Please choose one to five stars');
    setError(undefined);
    rate.mutate(
      { stars, comment: comment.trim() || undefined },
      {
        onSuccess: () => {
          draft.saved();
          toast({ title: 'Thank you', description: 'Your rating has been saved.' });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={rate}
      title="Rate Delivery Experience"
      description={pkg.name}
      unsaved={draft.dirty}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={rate.isPending} loadingText="Sending...">
            Send Rating
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <StarChoice
          label="How was the delivery?"
          value={stars}
          onChange={(chosen) => draft.change({ stars: chosen })}
          error={error}
        />
        <Field label="Comment" optional error={rate.error?.message} hint="The stars count towards the driver's rating.">
          <Textarea
            value={comment}
            maxLength={2000}
            onChange={(event) => draft.change({ comment: event.target.value })}
          />
        </Field>
      </form>
    </Dialog>
  );
}
