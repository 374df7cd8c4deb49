import { ApiError, CompletionInput, missingProofMessage } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { TriangleAlert } from 'lucide-react';
import * as z from 'zod/mini';
import { TrackingId } from '../packages/TrackingId.tsx';
import { formatMoment } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { fromText } from '../platform/text-inputs.ts';
import { useForm } from '../platform/useForm.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { SignaturePad } from '../ui/SignaturePad.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { PhotoField } from './PhotoField.tsx';
import { useCompleteDelivery } from './queries.ts';
import { useRequireDriver } from './useRequireDriver.ts';

const formId = 'complete-delivery';

const { receivedBy, note } = CompletionInput.shape;
const Completion = z.object({
  receivedBy: fromText(receivedBy),
  note: fromText(note),
  photo: z.custom<File | null>(),
  signature: z.custom<File | null>(),
});
/** For packages that require a signature: a name or a signature is mandatory. */
const SignedCompletion = Completion.check(
  z.refine(({ receivedBy: name, signature }) => Boolean(name) || signature !== null, {
    path: ['receivedBy'],
    error: missingProofMessage,
  }),
);

interface CompleteDeliveryDialogProps {
  delivery: Delivery;
  open: boolean;
  onClose: () => void;
}

export function CompleteDeliveryDialog({ delivery, open, onClose }: CompleteDeliveryDialogProps) {
  const complete = useCompleteDelivery(delivery.id);
  const requireDriver = useRequireDriver();
  const needsProof = delivery.handling.signatureRequired;
  const recipient = delivery.recipientName ?? 'the recipient';
  const form = useForm(needsProof ? SignedCompletion : Completion, submit, {
    initial: { receivedBy: '', note: '', photo: null, signature: null },
    refusal: complete.error,
    draft: `proof ${delivery.id}`,
    draftOverReload: true,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const [photo, signature] = form.watch(['photo', 'signature']);

  function submit(completion: z.output<typeof Completion>) {
    if (complete.isPending || !requireDriver('complete')) return;
    complete.mutate(
      { ...completion, receivedBy: completion.receivedBy || undefined, note: completion.note || undefined },
      {
        onSuccess: ({ recipientName, completedAt, updatedAt }) => {
          form.saved();
          const to = recipientName ?? recipient;
          toast({
            title: 'Delivery Completed',
            description: `Delivered to ${to} on ${formatMoment(completedAt ?? updatedAt)}`,
          });
          onClose();
        },
        onError: (error) => {
          toast({
            title: 'Error',
            description: error.message || 'Failed to complete delivery',
            variant: 'destructive',
          });
          // No longer assigned to this driver, or already completed: a retry is pointless.
          if (error instanceof ApiError && (error.status === 404 || error.code === 'illegal_step')) onClose();
        },
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={complete}
      title="Confirm Complete Delivery"
      description={
        <>
          {delivery.packageName} · <TrackingId id={delivery.trackingId} />
        </>
      }
      unsaved={form.changed}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="xl" loading={complete.isPending} loadingText="Completing...">
            Complete Delivery
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Banner tone="yellow" icon={<TriangleAlert />}>
          By completing this delivery you certify that the package has been handed over to {recipient} or left as
          agreed. This cannot be undone.
        </Banner>
        <Field label="Received by" optional={!needsProof} error={errors.receivedBy?.message}>
          <Input
            {...form.register('receivedBy')}
            autoComplete="off"
            maxLength={120}
            placeholder={delivery.recipientName ?? undefined}
          />
        </Field>
        <SignaturePad label="Signature" value={signature} onChange={(drawn) => form.choose('signature', drawn)} />
        <PhotoField photo={photo} onChange={(taken) => form.choose('photo', taken)} />
        <Field label="Note" optional error={errors.note?.message}>
          <Textarea {...form.register('note')} rows={2} maxLength={2000} />
        </Field>
      </form>
    </Dialog>
  );
}
