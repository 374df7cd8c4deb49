import { PositionInput, type Package } from '@waybill/contract';
import * as z from 'zod/mini';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useSetPlace } from './queries.ts';

const formId = 'set-pin';
const hint = 'As maps show it: 53.54610, 9.96580';

/** Latitude first, as maps and phones copy it. */
const Pin = z.object({
  at: z.pipe(
    z
      .string()
      .check(z.regex(/^\s*-?\d{1,2}(\.\d+)?\s*[,;\s]\s*-?\d{1,3}(\.\d+)?\s*$/, `Please enter a place. ${hint}`)),
    z.pipe(
      z.transform((text: string) => {
        const [lat = NaN, lon = NaN] = text
          .trim()
          .split(/[,;\s]+/)
          .map(Number);
        return { lat, lon };
      }),
      PositionInput,
    ),
  ),
});

/** The server names longitude and latitude, which are one field here. */
const fieldOf = () => 'at';

interface PinDialogProps {
  pkg: Pick<Package, 'id' | 'recipientAddress' | 'place'>;
  onClose: () => void;
}

/** Says where the address is, for this package and the next ones there. */
export function PinDialog({ pkg, onClose }: PinDialogProps) {
  const act = useSetPlace(pkg.id);
  const { place } = pkg;
  const form = useForm(Pin, submit, {
    initial: { at: place ? `${place.lat}, ${place.lon}` : '' },
    refusal: act.error,
    fieldOf,
    unsaved: false,
  });

  function submit({ at }: z.output<typeof Pin>) {
    act.mutate(at, {
      onSuccess: () => {
        form.saved();
        toast({ title: 'Pin set', description: 'Your next packages to this address have it as well.' });
        onClose();
      },
    });
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      act={act}
      title="Set a Pin"
      description={pkg.recipientAddress ?? ''}
      unsaved={form.changed}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={act.isPending} loadingText="Saving...">
            Set Pin
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit}>
        <Field label="Latitude and longitude" error={form.formState.errors.at?.message ?? form.formError} hint={hint}>
          <Input {...form.register('at')} autoComplete="off" maxLength={60} />
        </Field>
      </form>
    </Dialog>
  );
}
