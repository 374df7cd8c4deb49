import { translated } from '../platform/texts.ts';
import { ApiError, CompletionInput, fill, missingProofMessage } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { HandHelping } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { TrackingId } from '../packages/TrackingId.tsx';
import { toast } from '../platform/toasts.ts';
import { fromText } from '../platform/text-inputs.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { SignaturePad } from '../ui/SignaturePad.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { AskedFields } from '../packages/AskedFields.tsx';
import { HoldButton } from './HoldButton.tsx';
import { PhotoField } from './PhotoField.tsx';
import { useCompleteDelivery } from './queries.ts';
import { ReceivedByChips } from './ReceivedByChips.tsx';
import type { HandedOver } from './SuccessMoment.tsx';
import { texts } from './texts.ts';
import { pinRefusal, useAsked } from '../packages/asked-form.ts';
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

/** @param others handed over with it, of its door or for somebody else at its address */
function certificateOf({ returnDue, recipientName: name }: Delivery, door: Delivery[], others: Delivery[]): string {
  if (others.length > 0) {
    const count = `${others.length + 1}`;
    const isOne = others.every((other) => door.includes(other) && other.returnDue === returnDue);
    if (name === null || !isOne) return fill(texts.certificateOfEach, { count });
    return returnDue
      ? fill(texts.certificateOfReturns, { count, owner: name })
      : fill(texts.certificateOfMany, { count, recipient: name });
  }
  if (name === null) return returnDue ? texts.certificateOfReturnUnnamed : texts.certificateUnnamed;
  return returnDue ? fill(texts.certificateOfReturn, { owner: name }) : fill(texts.certificate, { recipient: name });
}

interface CompleteDeliveryDialogProps {
  delivery: Delivery;
  /** Confirmed by holding, in the thumb's reach; a plain tap stays possible. */
  phone: boolean;
  /** The other packages of its door, and those at its address for somebody else. */
  door: Delivery[];
  others: Delivery[];
  /** Chooses among them. */
  renderPackages: (chosen: readonly string[], onChosen: (chosen: string[]) => void) => ReactNode;
  open: boolean;
  onClose: () => void;
  /** Says so to the user. */
  onCompleted: (done: HandedOver) => void;
}

/** Hand over: proof first, then the certification right above the button that gives it. */
export function CompleteDeliveryDialog({
  delivery,
  phone,
  door,
  others,
  renderPackages,
  open,
  onClose,
  onCompleted,
}: CompleteDeliveryDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>(() => door.map(({ id }) => id));
  // What was taken off the round meanwhile is not handed over.
  const handedOver = [...door, ...others].filter(({ id }) => chosen.includes(id));
  const complete = useCompleteDelivery(delivery.id);
  const requireDriver = useRequireDriver();
  const needsProof = [delivery, ...handedOver].some(({ handling }) => handling.signatureRequired);
  const isReturn = delivery.returnDue;
  const asked = useAsked(
    [delivery, ...handedOver].filter(({ returnDue }) => !returnDue).map((one) => ({ ...one, name: one.packageName })),
    texts.asked,
    complete.error,
    texts.asked.checkedHint,
  );
  const form = useForm(needsProof ? SignedCompletion : Completion, submit, {
    initial: { receivedBy: '', note: '', photo: null, signature: null },
    refusal: complete.error,
    draft: `proof ${delivery.id}`,
    draftOverReload: true,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const [photo, signature, receivedBy, note] = form.watch(['photo', 'signature', 'receivedBy', 'note']);

  const missing = errors.receivedBy !== undefined && signature === null;

  function submit(completion: z.output<typeof Completion>) {
    if (complete.isPending || !asked.check() || !requireDriver('complete')) return;
    complete.mutate(
      {
        ...completion,
        receivedBy: completion.receivedBy || undefined,
        note: completion.note || undefined,
        others: handedOver.map(({ id }) => id),
        pins: asked.pins,
        ageChecked: asked.ageChecked,
      },
      {
        onSuccess: ([completed = delivery, ...rest]) => {
          form.saved();
          onClose();
          onCompleted({
            delivery: completed,
            returnedTo: delivery.returnDue ? (delivery.recipientName ?? texts.sender) : null,
            others: rest,
            receivedBy: completion.receivedBy || undefined,
            signed: completion.signature !== null,
            photo: completion.photo !== null,
          });
        },
        onError: (error) => {
          toast({
            title: texts.error,
            description: pinRefusal(error, texts.asked) ?? (translated(error.message) || texts.completeDialog.failed),
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
      closeLabel={texts.close}
      title={isReturn ? texts.confirmReturn : texts.completeDialog.title}
      description={
        handedOver.length > 0 ? (
          // Which they are is below, beside their ticks.
          fill(texts.packagesHere, { count: `${handedOver.length + 1}` })
        ) : (
          <>
            {delivery.packageName} ·{' '}
            <TrackingId
              id={delivery.trackingId}
              copyLabel={fill(texts.copyId, { id: delivery.trackingId })}
              copiedLabel={texts.copied}
            />
          </>
        )
      }
      unsaved={form.changed}
      footer={
        <div className="flex w-full flex-col gap-3">
          <p className="text-ui text-ink-2 wrap-anywhere">{certificateOf(delivery, door, handedOver)}</p>
          {phone && (
            <HoldButton
              loading={complete.isPending}
              loadingText={texts.completeDialog.completing}
              icon={<HandHelping aria-hidden="true" className="size-6" />}
              onHeld={() => form.onSubmit()}
            >
              {isReturn ? texts.holdToHandBack : texts.holdToHandOver}
            </HoldButton>
          )}
          <div className="flex flex-wrap gap-2 max-md:*:grow max-md:*:px-2 md:justify-end">
            <DialogClose>{texts.cancel}</DialogClose>
            <Button
              type="submit"
              form={formId}
              variant={phone ? 'secondary' : 'primary'}
              size={phone ? 'lg' : 'xl'}
              loading={complete.isPending}
              loadingText={texts.completeDialog.completing}
            >
              {isReturn ? texts.completeReturn : texts.complete}
            </Button>
          </div>
        </div>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        {door.length + others.length > 0 && renderPackages(chosen, setChosen)}
        <AskedFields {...asked.fields} />
        {/* Side by side where both fit, the signature with most of the room. */}
        <div className="flex flex-wrap gap-3">
          <div className="grow basis-28">
            <PhotoField words={texts} photo={photo} onChange={(taken) => form.choose('photo', taken)} />
          </div>
          <div className={classes('grow-[3] basis-44', missing && 'missing-proof')}>
            <SignaturePad
              label={texts.signature}
              words={texts}
              required={needsProof}
              value={signature}
              onChange={(drawn) => form.choose('signature', drawn)}
            />
          </div>
        </div>
        <div className="flex flex-col gap-2">
          <Field label={texts.names.receivedBy} optional={!needsProof} error={errors.receivedBy?.message}>
            <Input
              {...form.register('receivedBy')}
              autoComplete="off"
              maxLength={120}
              placeholder={delivery.recipientName ?? undefined}
            />
          </Field>
          <ReceivedByChips
            delivery={delivery}
            receivedBy={receivedBy}
            note={note}
            onReceivedBy={(name) => form.choose('receivedBy', name)}
            onNote={(text) => form.choose('note', text)}
          />
        </div>
        <Field label={texts.note} optional error={errors.note?.message}>
          <Textarea {...form.register('note')} rows={2} maxLength={2000} />
        </Field>
      </form>
    </Dialog>
  );
}
