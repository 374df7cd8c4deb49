import { categories } from '@waybill/contract';
import { useController, useFormContext } from 'react-hook-form';
import { formatWeight } from '../platform/formats.ts';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { Slider } from '../ui/Slider.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { HandlingFields } from './HandlingFields.tsx';
import { weightRange } from './package-form.ts';
import type { PackageFormInput } from './package-form.ts';

const categoryOptions = categories.map((category) => ({ value: category, label: category }));
const sides = [
  { name: 'dimensions.width', label: 'Width' },
  { name: 'dimensions.height', label: 'Height' },
  { name: 'dimensions.length', label: 'Length' },
] as const;
/** In kg: what most parcels weigh. */
const commonWeights = [0.5, 1, 2, 5, 10];

/** Name, category, description, weight, dimensions and handling. */
export function PackageFields() {
  const { register, control, getFieldState, formState } = useFormContext<PackageFormInput>();
  const weight = useController({ control, name: 'weight' });
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-x-3 gap-y-5 sm:grid-cols-2">
        <Field label="Package Name" required error={errorOf('name')}>
          <Input {...register('name')} autoComplete="off" maxLength={120} />
        </Field>
        <Field label="Category" required error={errorOf('category')}>
          <Select {...register('category')} options={categoryOptions} placeholder="Select a category" />
        </Field>
      </div>
      <Field label="Description" required error={errorOf('description')}>
        <Textarea {...register('description')} rows={2} maxLength={2000} />
      </Field>
      <Field
        label="Weight"
        // A number field for precision, chips and slider for speed.
        aside={
          <span className="block w-28">
            <Input
              {...weightRange}
              type="number"
              inputMode="decimal"
              aria-label="Kilograms"
              end="kg"
              value={Number.isNaN(weight.field.value) ? '' : weight.field.value}
              onChange={(event) => weight.field.onChange(event.target.valueAsNumber)}
              onBlur={weight.field.onBlur}
            />
          </span>
        }
        error={errorOf('weight')}
      >
        <div className="flex gap-x-5 gap-y-3 max-sm:flex-col sm:items-center">
          <div role="group" aria-label="Often used" className="flex shrink-0 gap-1.5">
            {commonWeights.map((kilograms) => (
              <button
                key={kilograms}
                type="button"
                aria-pressed={weight.field.value === kilograms}
                aria-label={formatWeight(kilograms)}
                onClick={() => weight.field.onChange(kilograms)}
                className="figures min-h-8 min-w-8 rounded-control border border-control/60 px-2 text-ui font-medium text-ink transition-colors hover:border-control hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft max-sm:min-h-10 max-sm:grow pointer-coarse:min-h-11 pointer-coarse:min-w-10"
              >
                {kilograms}
              </button>
            ))}
          </div>
          <Slider
            {...weightRange}
            name="weight"
            value={Number.isNaN(weight.field.value) ? weightRange.min : weight.field.value}
            formatValue={formatWeight}
            onValueChange={weight.field.onChange}
            onBlur={weight.field.onBlur}
          />
        </div>
      </Field>
      <fieldset>
        <legend className="mb-1.5 text-ui font-medium">
          Dimensions <span className="font-normal text-ink-3">(optional)</span>
        </legend>
        <div className="grid grid-cols-3 gap-3">
          {sides.map(({ name, label }) => (
            <Field key={name} label={label} error={errorOf(name)}>
              <Input {...register(name)} type="number" inputMode="decimal" min={0} step="any" end="cm" />
            </Field>
          ))}
        </div>
      </fieldset>
      <HandlingFields />
    </div>
  );
}
