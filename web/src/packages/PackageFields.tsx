import { categories } from '@waybill/contract';
import { useController, useFormContext } from 'react-hook-form';
import { formatWeight } from '../platform/formats.ts';
import { Card } from '../ui/Card.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { Slider } from '../ui/Slider.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { weightRange } from './package-form.ts';
import type { PackageFormInput } from './package-form.ts';

const categoryOptions = categories.map((category) => ({ value: category, label: category }));
const sides = [
  { name: 'dimensions.width', label: 'Width' },
  { name: 'dimensions.height', label: 'Height' },
  { name: 'dimensions.length', label: 'Length' },
] as const;

/** Name, category, description, weight and dimensions. */
export function PackageFields() {
  const { register, control, getFieldState, formState } = useFormContext<PackageFormInput>();
  const weight = useController({ control, name: 'weight' });
  const errorOf = (name: Parameters<typeof getFieldState>[0]) => getFieldState(name, formState).error?.message;
  return (
    <Card title="Package">
      <div className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Package Name" required error={errorOf('name')}>
            <Input {...register('name')} autoComplete="off" maxLength={120} />
          </Field>
          <Field label="Category" required error={errorOf('category')}>
            <Select {...register('category')} options={categoryOptions} placeholder="Select a category" />
          </Field>
        </div>
        <Field label="Description" required error={errorOf('description')}>
          <Textarea {...register('description')} rows={3} maxLength={2000} />
        </Field>
        <Field
          label="Weight"
          // Slider for speed, number field for precision.
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
          <Slider
            {...weightRange}
            name="weight"
            value={Number.isNaN(weight.field.value) ? weightRange.min : weight.field.value}
            formatValue={formatWeight}
            onValueChange={weight.field.onChange}
            onBlur={weight.field.onBlur}
          />
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
      </div>
    </Card>
  );
}
