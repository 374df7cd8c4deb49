import { useFormContext } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import type { PackageFormInput } from './package-form.ts';

/** When it suits the recipient. */
export function WindowFields() {
  const { register, getFieldState, formState } = useFormContext<PackageFormInput>();
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  return (
    <fieldset>
      <legend className="mb-3 text-ui font-medium">
        Preferred time window <span className="font-normal text-ink-3">(optional)</span>
      </legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-4">
        <div className="col-span-2">
          <Field label="Day" error={errorOf('window.day')}>
            <Input {...register('window.day')} type="date" max="9999-12-31" />
          </Field>
        </div>
        <Field label="From" error={errorOf('window.from')}>
          <Input {...register('window.from')} type="time" />
        </Field>
        <Field label="Until" error={errorOf('window.until')}>
          <Input {...register('window.until')} type="time" />
        </Field>
      </div>
    </fieldset>
  );
}
