import { texts as shell, translated } from '../platform/texts.ts';
import { texts } from './texts.ts';
import { ApiError, LocationInput, fill, withTheDriver } from '@waybill/contract';
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
  const { withDriver } = shell.track;
  const form = useForm(
    LocationInput,
    ({ location: typed }) =>
      // The hint names these words in the driver's language; stored they are the same in all.
      report.mutate(typed.toLowerCase() === withDriver.toLowerCase() ? withTheDriver : typed, {
        onSuccess: () => {
          toast({
            title: texts.locationDialog.done,
            description: fill(texts.locationDialog.doneText, { name: delivery.packageName, place: typed }),
          });
          onClose();
        },
        onError: (refusal) => {
          toast({ title: texts.error, description: translated(refusal.message), variant: 'destructive' });
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
      title={texts.reportLocation}
      closeLabel={texts.close}
      description={fill(texts.locationDialog.text, { name: delivery.packageName })}
      unsaved={form.changed}
      act={report}
      footer={
        <>
          <DialogClose>{texts.cancel}</DialogClose>
          <Button type="submit" form={formId} size="xl" loading={report.isPending} loadingText={texts.sending}>
            {texts.reportLocation}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit}>
        <Field
          label={texts.locationDialog.label}
          error={form.formState.errors.location?.message}
          hint={fill(texts.locationDialog.hint, { withTheDriver: withDriver })}
        >
          <Input {...form.register('location')} maxLength={200} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  );
}
