import { recipientLanguages } from '@waybill/contract';
import { useFormContext } from 'react-hook-form';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import type { PackageFormInput } from './package-form.ts';

const languages = Object.entries(recipientLanguages).map(([value, label]) => ({ value, label }));

/** How the recipient is reached, and in which language, and whether they may change the delivery. All optional. */
export function ReachFields() {
  const { register, getFieldState, formState } = useFormContext<PackageFormInput>();
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  return (
    <fieldset className="flex flex-col gap-5">
      <legend className="sr-only">Messages to the recipient</legend>
      <p className="-mb-2 text-ui font-medium">
        Messages to the recipient <span className="font-normal text-ink-3">(optional)</span>
      </p>
      <div className="grid gap-x-3 gap-y-5 sm:grid-cols-3">
        <Field label="Email" error={errorOf('recipientEmail')}>
          <Input {...register('recipientEmail')} type="email" autoComplete="off" maxLength={254} />
        </Field>
        <Field label="Mobile phone" error={errorOf('recipientPhone')}>
          <Input
            {...register('recipientPhone')}
            type="tel"
            autoComplete="off"
            placeholder="+4915112345678"
            maxLength={16}
          />
        </Field>
        <Field label="Language" error={errorOf('recipientLanguage')}>
          <Select {...register('recipientLanguage')} placeholder="Not specified" options={languages} />
        </Field>
      </div>
      <div className="-my-2.5">
        <Checkbox
          {...register('allowChanges')}
          label="Recipient may change the delivery"
          hint="Day, time, safe place, neighbour, instructions or collection, by their own link."
        />
      </div>
    </fieldset>
  );
}
