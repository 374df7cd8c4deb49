import type { Suggestion } from '@waybill/contract';
import { useFormContext } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { StreetInput } from '../users/StreetInput.tsx';
import { typedAddress } from '../users/suggestion-texts.ts';
import { ContactField } from './ContactField.tsx';
import { ReachFields } from './ReachFields.tsx';
import type { PackageFormInput } from './package-form.ts';

/** Recipient, contact and delivery address. */
export function RecipientFields() {
  const { register, getFieldState, getValues, setValue, formState } = useFormContext<PackageFormInput>();
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  const fill = (suggestion: Suggestion) => {
    const options = { shouldDirty: true, shouldTouch: true, shouldValidate: formState.isSubmitted };
    setValue('address', typedAddress(suggestion), options);
    if (suggestion.name && getValues('recipientName').trim() === '')
      setValue('recipientName', suggestion.name, options);
  };
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-x-3 gap-y-5 sm:grid-cols-2">
        <Field label="Recipient Name" required error={errorOf('recipientName')}>
          <Input {...register('recipientName')} autoComplete="off" maxLength={120} />
        </Field>
        <ContactField />
      </div>
      <ReachFields />
      <fieldset className="border-t border-line pt-5">
        <legend className="sr-only">Delivery address</legend>
        <p className="mb-3 text-ui font-medium">
          Delivery address <span className="font-normal text-ink-3">(optional)</span>
        </p>
        <div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-4">
          <div className="col-span-2 sm:col-span-4">
            <Field label="Street" error={errorOf('address.street')}>
              <StreetInput {...register('address.street')} onChoose={fill} />
            </Field>
          </div>
          <Field label="Postal code" error={errorOf('address.postalCode')}>
            <Input {...register('address.postalCode')} autoComplete="off" maxLength={20} />
          </Field>
          <div className="sm:col-span-2">
            <Field label="City" error={errorOf('address.city')}>
              <Input {...register('address.city')} autoComplete="off" maxLength={120} />
            </Field>
          </div>
          <div className="col-span-2 sm:col-span-1">
            <Field label="Country" error={errorOf('address.country')}>
              <Input {...register('address.country')} autoComplete="off" maxLength={80} />
            </Field>
          </div>
        </div>
      </fieldset>
    </div>
  );
}
