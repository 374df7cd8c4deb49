import { ApiError, CompletionInput, missingProofMessage } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import * as z from 'zod/mini';
import { fromText } from '../platform/text-inputs.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { SignaturePad } from '../ui/SignaturePad.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { AskedFields, type AskedWords } from '../packages/AskedFields.tsx';
import { PhotoField } from './PhotoField.tsx';
import { useAsked } from '../packages/asked-form.ts';
import { useCollect } from './queries.ts';

const formId = 'collect-package';

const askedWords: AskedWords = {
  pin: 'PIN of the recipient',
  pinFor: 'PIN for {package}',
  hint: 'Ask for the 4 digits. The recipient has them by message and on the page of the package.',
  wrong: { one: 'This PIN is not right: {count} more try', other: 'This PIN is not right: {count} more tries' },
  locked: 'Too many wrong PINs. Release the PIN first.',
  waived: 'The PIN was released: you need not ask for it.',
  checked: 'ID checked: {age} or older',
  checkedHint: 'Look at an ID of the person who takes it. Nothing on it is noted.',
};

const { receivedBy, note } = CompletionInput.shape;
const Proof = z.object({
  receivedBy: fromText(receivedBy),
  note: fromText(note),
  photo: z.custom<File | null>(),
  signature: z.custom<File | null>(),
});
/** For packages that require a signature: a name or a signature is mandatory. */
const RequiredProof = Proof.check(
  z.refine(({ receivedBy: name, signature }) => Boolean(name) || signature !== null, {
    path: ['receivedBy'],
    error: missingProofMessage,
  }),
);

interface CollectDialogProps {
  pkg: Pick<Package, 'id' | 'name' | 'recipientName' | 'handling' | 'pinState'>;
  open: boolean;
  onClose: () => void;
  /** Called after success and failure. */
  onSettled: () => void;
}

/** Somebody came to the depot for a package: with the same proof as at a door. */
export function CollectDialog({ pkg, open, onClose, onSettled }: CollectDialogProps) {
  const collect = useCollect(pkg.id);
  const needsProof = pkg.handling.signatureRequired;
  const asked = useAsked([pkg], askedWords, collect.error);
  const form = useForm(needsProof ? RequiredProof : Proof, submit, {
    initial: { receivedBy: '', note: '', photo: null, signature: null },
    refusal: collect.error,
    draft: `collected ${pkg.id}`,
    draftOverReload: true,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const [photo, signature] = form.watch(['photo', 'signature']);

  function submit(proof: z.output<typeof Proof>) {
    if (!asked.check()) return;
    collect.mutate(
      {
        ...proof,
        receivedBy: proof.receivedBy || undefined,
        note: proof.note || undefined,
        pins: asked.pins,
        ageChecked: asked.ageChecked,
      },
      {
        onSuccess: () => {
          form.saved();
          toast({ title: 'Handed over', description: `“${pkg.name}” was collected at the depot` });
          onClose();
        },
        onError: (refusal) => {
          toast({ title: 'Error', description: refusal.message, variant: 'destructive' });
          if (refusal instanceof ApiError && refusal.code === 'illegal_step') onClose();
        },
        onSettled,
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={collect}
      title="Collected at the depot"
      description={`“${pkg.name}” for ${pkg.recipientName}. It will count as delivered, without a driver, and its owner is told.`}
      unsaved={form.changed}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={collect.isPending} loadingText="Saving...">
            Hand over
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <AskedFields {...asked.fields} />
        <Field label="Received by" optional={!needsProof} error={errors.receivedBy?.message}>
          <Input {...form.register('receivedBy')} autoComplete="off" maxLength={120} placeholder={pkg.recipientName} />
        </Field>
        <div className="flex flex-wrap gap-3">
          <div className="grow basis-28">
            <PhotoField photo={photo} onChange={(taken) => form.choose('photo', taken)} />
          </div>
          <div className="grow-[3] basis-44">
            <SignaturePad
              label="Signature"
              required={needsProof}
              value={signature}
              onChange={(drawn) => form.choose('signature', drawn)}
            />
          </div>
        </div>
        <Field label="Note" optional error={errors.note?.message}>
          <Textarea {...form.register('note')} rows={2} maxLength={2000} />
        </Field>
      </form>
    </Dialog>
  );
}
