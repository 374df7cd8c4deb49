import { fill, gramsPerKmOf } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { useFormContext } from 'react-hook-form';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { PlaceField } from './PlaceField.tsx';
import type { TypedVehicle } from './vehicle-form.ts';

/** What a driver's vehicle is and can carry, and where their routes begin and end. Plans keep to it. */
export function VehicleFields({ words }: { words: Texts['account']['vehicle'] }) {
  const { register, watch, formState } = useFormContext<TypedVehicle>();
  const errors = formState.errors.vehicleInfo;
  const type = watch('vehicleInfo.type');
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="sr-only">{words.title}</legend>
      <p className="text-ui font-medium">{words.title}</p>
      <p className="mb-3 text-ui text-ink-2">{words.lead}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={words.type} optional error={errors?.type?.message}>
          <Input {...register('vehicleInfo.type')} maxLength={80} placeholder={words.typeSample} />
        </Field>
        <Field label={words.model} optional error={errors?.model?.message}>
          <Input {...register('vehicleInfo.model')} maxLength={80} />
        </Field>
        <Field label={words.plate} optional error={errors?.licensePlate?.message}>
          <Input {...register('vehicleInfo.licensePlate')} maxLength={80} autoCapitalize="characters" />
        </Field>
        <Field label={words.capacity} optional error={errors?.capacityKg?.message}>
          <Input {...register('vehicleInfo.capacityKg')} inputMode="decimal" maxLength={9} end="kg" />
        </Field>
        <Field label={words.stops} optional error={errors?.maxStops?.message}>
          <Input {...register('vehicleInfo.maxStops')} inputMode="numeric" maxLength={3} />
        </Field>
        <Field
          label={words.co2}
          optional
          error={errors?.gramsPerKm?.message}
          hint={fill(words.co2Hint, { grams: String(gramsPerKmOf({ type, gramsPerKm: null })) })}
        >
          <Input {...register('vehicleInfo.gramsPerKm')} inputMode="numeric" maxLength={4} end="g/km" endIsWord />
        </Field>
        <div className="-my-2.5 sm:col-span-2">
          <Checkbox
            label={words.refrigerated}
            hint={words.refrigeratedHint}
            {...register('vehicleInfo.refrigerated')}
          />
        </div>
        <PlaceField name="startPlace" label={words.startsAt} words={words.place} />
        <PlaceField name="endPlace" label={words.endsAt} words={words.place} />
      </div>
    </fieldset>
  );
}
