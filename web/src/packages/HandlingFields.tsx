import { ArrowUp, Check, DoorOpen, KeyRound, PenLine, Snowflake, UserRound, Wine } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import type { PackageFormInput } from './package-form.ts';

const choices: readonly {
  name: Exclude<keyof PackageFormInput['handling'], 'safePlaceNote'>;
  label: string;
  icon: LucideIcon;
  /** What it means for the delivery, once chosen. */
  hint?: string;
}[] = [
  { name: 'fragile', label: 'Fragile', icon: Wine },
  { name: 'keepUpright', label: 'Keep upright', icon: ArrowUp },
  { name: 'refrigerated', label: 'Refrigerated', icon: Snowflake },
  {
    name: 'signatureRequired',
    label: 'Signature required',
    icon: PenLine,
    hint: 'Signature required: the driver asks who took it.',
  },
  {
    name: 'pin',
    label: 'PIN at the door',
    icon: KeyRound,
    hint: 'PIN at the door: the recipient gets 4 digits by message and on their page, and the driver asks for them.',
  },
  {
    name: 'age',
    label: 'ID check: 18 or older',
    icon: UserRound,
    hint: 'ID check: the driver looks at an ID, and hands it over only to somebody who is 18 or older.',
  },
  {
    name: 'safePlace',
    label: 'Leave in a safe place',
    icon: DoorOpen,
    hint: 'Leave in a safe place: without handing it over.',
  },
];

/** Special handling, as chips. All optional. */
export function HandlingFields() {
  const { register, control, getFieldState, formState } = useFormContext<PackageFormInput>();
  const handling = useWatch({ control, name: 'handling' });
  const hints = choices.flatMap(({ name, hint }) => (hint && handling[name] ? [hint] : []));
  return (
    <fieldset>
      <legend className="mb-1.5 text-ui font-medium">
        Special handling <span className="font-normal text-ink-3">(optional)</span>
      </legend>
      <div className="flex flex-wrap gap-2 max-sm:gap-1.5">
        {choices.map(({ name, label, icon: Icon }) => (
          <label
            key={name}
            className="relative inline-flex min-h-10 cursor-pointer items-center gap-2 rounded-control border border-control/60 bg-surface px-3 text-ui font-medium max-sm:grow max-sm:gap-1.5 max-sm:px-1.5 transition-colors hover:border-control has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:min-h-11"
          >
            <input
              {...register(`handling.${name}`)}
              type="checkbox"
              className="peer absolute inset-0 cursor-pointer opacity-0"
            />
            <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-2" />
            {label}
            <Check aria-hidden="true" className="hidden size-4 shrink-0 text-brand peer-checked:block" />
          </label>
        ))}
      </div>
      <p className="mt-2 text-table text-ink-3 empty:hidden">{hints.join(' ')}</p>
      {handling.safePlace && (
        <div className="mt-3">
          <Field
            label="Where it may be left"
            required
            error={getFieldState('handling.safePlaceNote', formState).error?.message}
          >
            <Input {...register('handling.safePlaceNote')} autoComplete="off" maxLength={200} />
          </Field>
        </div>
      )}
    </fieldset>
  );
}
