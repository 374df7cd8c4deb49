import { ApiError } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useDraft } from '../platform/drafts.ts';
import { formatMoment } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { SignaturePad } from '../ui/SignaturePad.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { useFocusFault } from '../ui/useFocusFault.ts';
import { PhotoField } from './PhotoField.tsx';
import { useCompleteDelivery } from './queries.ts';
import { useRequireDriver } from './useRequireDriver.ts';

const formId = 'complete-delivery';

interface CompleteDeliveryDialogProps {
  delivery: Delivery;
  open: boolean;
  onClose: () => void;
}

export function CompleteDeliveryDialog({ delivery, open, onClose }: CompleteDeliveryDialogProps) {
  const draft = useDraft(
    `proof ${delivery.id}`,
    { receivedBy: '', note: '', photo: null as File | null, signature: null as File | null },
    open,
  );
  const { receivedBy, note, photo, signature } = draft.values;
  const [missing, setMissing] = useState<string>();
  const complete = useCompleteDelivery(delivery.id);
  const form = useFocusFault(missing ?? complete.error);
  const requireDriver = useRequireDriver();
  const needsProof = delivery.handling.signatureRequired;
  const faults = complete.error instanceof ApiError ? complete.error.fields : {};
  const recipient = delivery.recipientName ?? 'the recipient';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete.isPending || !requireDriver('complete')) return;
    const name = receivedBy.trim();
    if (needsProof && !name && !signature)
      return setMissing('This package needs a signature, or the name of the person who took it');
    setMissing(undefined);
    complete.mutate(
      { receivedBy: name || undefined, note: note.trim() || undefined, photo, signature },
      {
        onSuccess: ({ recipientName, completedAt, updatedAt }) => {
          draft.saved();
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
          // It is no longer this driver's to complete.
          if (error instanceof ApiError && (error.status === 404 || error.code === 'illegal_step')) onClose();
        },
      },
    );
  };
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
      unsaved={draft.dirty}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="xl" loading={complete.isPending} loadingText="Completing...">
            Complete Delivery
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Banner tone="yellow" icon={<TriangleAlert />}>
          By completing this delivery you certify that the package has been handed over to {recipient} or left as
          agreed. This cannot be undone.
        </Banner>
        <Field label="Received by" optional={!needsProof} error={missing ?? faults.receivedBy}>
          <Input
            value={receivedBy}
            autoComplete="off"
            maxLength={120}
            placeholder={delivery.recipientName ?? undefined}
            onChange={(event) => draft.change({ receivedBy: event.target.value })}
          />
        </Field>
        <SignaturePad label="Signature" value={signature} onChange={(drawn) => draft.change({ signature: drawn })} />
        <PhotoField photo={photo} onChange={(taken) => draft.change({ photo: taken })} />
        <Field label="Note" optional error={faults.note}>
          <Textarea
            rows={2}
            value={note}
            maxLength={2000}
            onChange={(event) => draft.change({ note: event.target.value })}
          />
        </Field>
      </form>
    </Dialog>
  );
}
