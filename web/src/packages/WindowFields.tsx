import type { Package } from '@waybill/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { formatLongDay } from '../platform/formats.ts';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { formatWindow } from './formats.ts';
import { isWithinOneDay } from './package-form.ts';
import type { PackageFormInput } from './package-form.ts';

/** The preferred time window. `present`: the current window, shown as text when it spans two days and does not fit the fields. */
export function WindowFields({ present = null }: { present?: Package['window'] }) {
  const { register, getFieldState, formState, control } = useFormContext<PackageFormInput>();
  const { day, from, until } = useWatch({ control, name: 'window' });
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  return (
    <fieldset>
      <legend className="mb-3 text-ui font-medium">
        Preferred time window <span className="font-normal text-ink-3">(optional)</span>
      </legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-4">
        <div className="col-span-2">
          {/* In the browser's order of day and month, so in words below it. */}
          <Field label="Day" hint={day && formatLongDay(day)} error={errorOf('window.day')}>
            <Input {...register('window.day')} type="date" max="9999-12-31" data-empty={!day || undefined} />
          </Field>
        </div>
        <Field label="From" error={errorOf('window.from')}>
          <Input {...register('window.from')} type="time" data-empty={!from || undefined} />
        </Field>
        <Field label="Until" error={errorOf('window.until')}>
          <Input {...register('window.until')} type="time" data-empty={!until || undefined} />
        </Field>
      </div>
      {present && !isWithinOneDay(present) && (
        <p className="mt-3 text-ui text-ink-2">
          Now <span className="figures">{formatWindow(present)}</span>. It stays so unless you type another one.
        </p>
      )}
    </fieldset>
  );
}
