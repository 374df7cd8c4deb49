import { AddressInput, DepotInput } from '@waybill/contract';
import type { Depot } from '@waybill/contract';
import * as z from 'zod/mini';
import { fromText, groupFromText } from '../platform/text-inputs.ts';
import { texts } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { StreetInput } from '../users/StreetInput.tsx';
import { typedAddress } from '../users/suggestion-texts.ts';
import { useSaveDepot } from './queries.ts';

const formId = 'depot';

const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const DepotForm = z.object({
  name: DepotInput.shape.name,
  address: groupFromText(AddressInput),
  opensAt: fromText(DepotInput.shape.opensAt),
  closesAt: fromText(DepotInput.shape.closesAt),
  timeZone: DepotInput.shape.timeZone,
});

interface DepotDialogProps {
  /** Null: a new one. */
  depot: Depot | null;
  open: boolean;
  onClose: () => void;
}

export function DepotDialog({ depot, open, onClose }: DepotDialogProps) {
  const save = useSaveDepot(depot);
  const form = useForm(DepotForm, submit, {
    initial: {
      name: depot?.name ?? '',
      address: {
        street: depot?.address?.street ?? '',
        postalCode: depot?.address?.postalCode ?? '',
        city: depot?.address?.city ?? '',
        country: depot?.address?.country ?? '',
      },
      opensAt: depot?.opensAt ?? '',
      closesAt: depot?.closesAt ?? '',
      timeZone: depot?.timeZone ?? viewerZone(),
    },
    refusal: save.error,
    draft: `depot ${depot?.id ?? 'new'}`,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;

  function submit(body: z.output<typeof DepotForm>) {
    save.mutate(body, {
      onSuccess: ({ name }) => {
        form.saved();
        toast({ title: depot ? 'Depot saved' : 'Depot added', description: name });
        onClose();
      },
    });
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      unsaved={form.changed}
      title={depot ? 'Edit Depot' : 'Add Depot'}
      description="Where packages wait, and where routes begin and end"
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={save.isPending} loadingText="Saving...">
            {depot ? 'Save Changes' : 'Add Depot'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field label="Name" error={errors.name?.message}>
          <Input {...form.register('name')} maxLength={120} autoComplete="off" />
        </Field>
        <fieldset className="flex flex-col gap-5">
          <legend className="mb-3 text-ui font-semibold text-ink">
            Address <span className="font-normal text-ink-3">{texts.optional}</span>
          </legend>
          <Field label="Street" error={errors.address?.street?.message}>
            <StreetInput
              {...form.register('address.street')}
              onChoose={(suggestion) => form.choose('address', typedAddress(suggestion))}
            />
          </Field>
          <div className="grid grid-cols-[1fr_2fr] gap-5">
            <Field label="Postal code" error={errors.address?.postalCode?.message}>
              <Input {...form.register('address.postalCode')} maxLength={20} autoComplete="off" />
            </Field>
            <Field label="City" error={errors.address?.city?.message}>
              <Input {...form.register('address.city')} maxLength={120} autoComplete="off" />
            </Field>
          </div>
          <Field label="Country" error={errors.address?.country?.message}>
            <Input {...form.register('address.country')} maxLength={80} autoComplete="off" />
          </Field>
        </fieldset>
        <div className="grid grid-cols-2 gap-5">
          <Field label="Opens at" optional error={errors.opensAt?.message}>
            <Input {...form.register('opensAt')} type="time" />
          </Field>
          <Field label="Closes at" optional error={errors.closesAt?.message}>
            <Input {...form.register('closesAt')} type="time" />
          </Field>
        </div>
        <Field
          label="Time zone"
          hint="The depot's days and the times of its routes are in this zone"
          error={errors.timeZone?.message}
        >
          <Input {...form.register('timeZone')} list="depot-time-zones" autoComplete="off" />
        </Field>
        <datalist id="depot-time-zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </datalist>
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
      </form>
    </Dialog>
  );
}
