import { useQuery } from '@tanstack/react-query';
import { BookAddressInput } from '@waybill/contract';
import type { BookAddress } from '@waybill/contract';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import { MapView } from '../maps/MapView.tsx';
import { fromText } from '../platform/text-inputs.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { StreetInput } from '../users/StreetInput.tsx';
import { lineOf, typedAddress } from '../users/suggestion-texts.ts';
import { pinHint, pinText, PinText, typedPin } from './pin-text.ts';
import { depotPlacesQuery, useSaveAddress } from './queries.ts';

const formId = 'address';
const none: never[] = [];
const rules = BookAddressInput.shape;

const AddressForm = z.object({
  name: fromText(rules.name),
  address: z.object({
    street: rules.street,
    postalCode: fromText(rules.postalCode),
    city: rules.city,
    country: fromText(rules.country),
  }),
  at: z.union([
    z.pipe(
      z.literal(''),
      z.transform(() => null),
    ),
    PinText,
  ]),
});

const addressFields = new Set(['street', 'postalCode', 'city', 'country']);
/** The address is a group here, and longitude and latitude are one field. */
const fieldOf = (path: string) => {
  if (addressFields.has(path)) return `address.${path}`;
  return path.startsWith('place') ? 'at' : path;
};

interface AddressDialogProps {
  /** Null: a new one. */
  address: BookAddress | null;
  open: boolean;
  onClose: () => void;
}

export function AddressDialog({ address, open, onClose }: AddressDialogProps) {
  const save = useSaveAddress(address);
  const place = address?.place ?? null;
  const form = useForm(AddressForm, submit, {
    initial: {
      name: address?.name ?? '',
      address: {
        street: address?.street ?? '',
        postalCode: address?.postalCode ?? '',
        city: address?.city ?? '',
        country: address?.country ?? '',
      },
      at: pinText(place),
    },
    refusal: save.error,
    fieldOf,
    draft: `address ${address?.id ?? 'new'}`,
    open,
    unsaved: false,
  });
  const { errors, dirtyFields } = form.formState;
  const typed = form.watch('at');
  const pin = useMemo(() => typedPin(typed), [typed]);
  const depots = useQuery(depotPlacesQuery());
  const around = useMemo(
    () => (place ? [place] : (depots.data?.flatMap((depot) => depot.place ?? []) ?? none)),
    [place, depots.data],
  );

  function submit({ name, address: written, at }: z.output<typeof AddressForm>) {
    // Without a pin of its own the place stays as long as the address does.
    const place = at && dirtyFields.at ? { place: at } : {};
    save.mutate(
      { name, ...written, ...place },
      {
        onSuccess: (saved) => {
          form.saved();
          toast({ title: address ? 'Address saved' : 'Address added', description: lineOf(saved) });
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      unsaved={form.changed}
      size="lg"
      title={address ? 'Edit Address' : 'Add Address'}
      description="It is suggested when you create a package, and its pin shows drivers the door"
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={save.isPending} loadingText="Saving...">
            {address ? 'Save Changes' : 'Add Address'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field label="Name" optional hint="Who lives or works there" error={errors.name?.message}>
          <Input {...form.register('name')} maxLength={120} autoComplete="off" />
        </Field>
        <Field label="Street" error={errors.address?.street?.message}>
          <StreetInput
            {...form.register('address.street')}
            onChoose={(suggestion) => {
              form.choose('address', typedAddress(suggestion));
              const { place: found } = suggestion;
              if (found && (found.accuracy === 'rooftop' || found.accuracy === 'pin'))
                form.choose('at', pinText(found));
            }}
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
        <Field label="Country" optional error={errors.address?.country?.message}>
          <Input {...form.register('address.country')} maxLength={80} autoComplete="off" />
        </Field>
        <div className="space-y-2">
          <MapView
            label="Map: the pin of the address"
            className="h-64"
            pin={pin}
            onPin={({ lat, lon }) => form.choose('at', pinText({ lat, lon }))}
            fit={pin ? [pin] : around}
            fitKey={pin ? 'pin' : 'around'}
          />
          <p className="text-meta text-ink-2">
            Click where the door is, or drag the pin. With the keyboard, move the map with the arrow keys and press
            Enter to set the pin in its middle.
          </p>
        </div>
        <Field label="Latitude and longitude" optional error={errors.at?.message} hint={pinHint}>
          <Input {...form.register('at')} autoComplete="off" maxLength={60} />
        </Field>
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
      </form>
    </Dialog>
  );
}
