import { RatePackageInput } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import * as z from 'zod/mini';
import { toast } from '../platform/toasts.ts';
import { fromText } from '../platform/text-inputs.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { StarChoice } from '../ui/StarChoice.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { useRatePackage } from './queries.ts';

const formId = 'rate-delivery';

const { stars, comment } = RatePackageInput.shape;
/** 0 stars: none chosen yet. */
const Rating = z.object({
  stars: z.pipe(z.number().check(z.minimum(1, 'Please choose one to five stars')), stars),
  comment: fromText(comment),
});

interface RateDeliveryDialogProps {
  pkg: Pick<Package, 'id' | 'name'>;
  open: boolean;
  onClose: () => void;
}

/** Stars and a comment, once per delivery. */
export function RateDeliveryDialog({ pkg, open, onClose }: RateDeliveryDialogProps) {
  const rate = useRatePackage(pkg.id);
  const form = useForm(Rating, submit, {
    initial: { stars: 0, comment: '' },
    refusal: rate.error,
    draft: `rating ${pkg.id}`,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;

  function submit(rating: z.output<typeof Rating>) {
    rate.mutate(rating, {
      onSuccess: () => {
        form.saved();
        toast({ title: 'Thank you', description: 'Your rating has been saved.' });
        onClose();
      },
    });
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={rate}
      title="Rate Delivery Experience"
      description={pkg.name}
      unsaved={form.changed}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={rate.isPending} loadingText="Sending...">
            Send Rating
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <StarChoice
          label="How was the delivery?"
          value={form.watch('stars')}
          onChange={(chosen) => form.choose('stars', chosen)}
          error={errors.stars?.message}
          hint="The stars count towards the driver's rating."
        />
        <Field label="Comment" optional error={errors.comment?.message ?? form.formError}>
          <Textarea {...form.register('comment')} maxLength={2000} />
        </Field>
      </form>
    </Dialog>
  );
}
