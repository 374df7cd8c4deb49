import { ApiError, LocationInput, withTheDriver } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useReportLocation } from './queries.ts';

const formId = 'report-location';

interface ReportLocationDialogProps {
  delivery: Delivery;
  open: boolean;
  onClose: () => void;
}

/** Reports the current location, shown to everybody who follows the package. */
export function ReportLocationDialog({ delivery, open, onClose }: ReportLocationDialogProps) {
  const report = useReportLocation(delivery.id);
  const form = useForm(
    LocationInput,
    ({ location }) =>
      report.mutate(location, {
        onSuccess: () => {
          toast({ title: 'Location reported', description: `“${delivery.packageName}” is at ${location}` });
          onClose();
        },
        onError: (refusal) => {
          toast({ title: 'Error', description: refusal.message, variant: 'destructive' });
          if (refusal instanceof ApiError && (refusal.status === 404 || refusal.code === 'illegal_step')) onClose();
        },
      }),
    {
      initial: { location: '' },
      refusal: report.error,
      draft: `location ${delivery.id}`,
      open,
      unsaved: false,
    },
  );
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Report location"
      description={`Where “${delivery.packageName}” is now. Owner and recipient see it at once.`}
      unsaved={form.changed}
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
      <form id={formId} noValidate onSubmit={form.onSubmit}>
        <Field
          label="Location"
          error={form.formState.errors.location?.message}
          hint={`A town or a place on the way, no address: it stands on the public page. “${withTheDriver}” takes it back.`}
        >
          <Input {...form.register('location')} maxLength={200} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  );
}
