import { ApiError, withTheDriver } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useFocusFault } from '../ui/useFocusFault.ts';
import { useReportLocation } from './queries.ts';

const formId = 'report-location';

interface ReportLocationDialogProps {
  delivery: Delivery;
  open: boolean;
  onClose: () => void;
}

/** Tells everybody who follows the package where it is now. */
export function ReportLocationDialog({ delivery, open, onClose }: ReportLocationDialogProps) {
  const draft = useDraft(`location ${delivery.id}`, { place: '' }, open);
  const [error, setError] = useState<string>();
  const form = useFocusFault(error);
  const report = useReportLocation(delivery.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (report.isPending) return;
    const place = draft.values.place.trim();
    if (place === '') return setError('Location is required');
    setError(undefined);
    report.mutate(place, {
      onSuccess: () => {
        draft.saved();
        toast({ title: 'Location reported', description: `“${delivery.packageName}” is at ${place}` });
        onClose();
      },
      onError: (refusal) => {
        toast({ title: 'Error', description: refusal.message, variant: 'destructive' });
        if (refusal instanceof ApiError && (refusal.status === 404 || refusal.code === 'illegal_step')) onClose();
      },
    });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Report location"
      description={`Where “${delivery.packageName}” is now. Owner and recipient see it at once.`}
      unsaved={draft.dirty}
      act={report}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="xl" loading={report.isPending} loadingText="Sending...">
            Report location
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit}>
        <Field
          label="Location"
          error={error}
          hint={`A town or a place on the way, no address: it stands on the public page. “${withTheDriver}” takes it back.`}
        >
          <Input
            value={draft.values.place}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => draft.change({ place: event.target.value })}
          />
        </Field>
      </form>
    </Dialog>
  );
}
