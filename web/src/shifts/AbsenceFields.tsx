import { absenceKinds } from '@waybill/contract';
import type { UseFormReturn } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import type { AbsenceForm, TypedAbsence } from './absence-form.ts';
import { texts } from './absence-texts.ts';

/** Kind, days and note of an absence. */
export function AbsenceFields({ form }: { form: UseFormReturn<TypedAbsence, unknown, AbsenceForm> }) {
  const { errors } = form.formState;
  return (
    <>
      <Field label={texts.kind} error={errors.kind?.message}>
        <Select
          options={absenceKinds.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
          {...form.register('kind')}
        />
      </Field>
      <div className="grid grid-cols-2 gap-5 max-[22rem]:grid-cols-1">
        <Field label={texts.from} error={errors.from?.message}>
          <Input
            {...form.register('from', {
              deps: 'to',
              // A first day after the last one moves that along.
              onChange: ({ target }: { target: HTMLInputElement }) => {
                if (target.value > form.getValues('to')) form.setValue('to', target.value);
              },
            })}
            type="date"
          />
        </Field>
        <Field label={texts.to} error={errors.to?.message}>
          <Input {...form.register('to')} type="date" />
        </Field>
      </div>
      <Field label={texts.note} optional error={errors.note?.message}>
        <Input {...form.register('note')} maxLength={200} autoComplete="off" />
      </Field>
    </>
  );
}
