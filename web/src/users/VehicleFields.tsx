import { gramsPerKmOf } from '@waybill/contract';
import { useFormContext } from 'react-hook-form';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { PlaceField } from './PlaceField.tsx';
import type { TypedVehicle } from './vehicle-form.ts';

/** What a driver's vehicle is and can carry, and where their routes begin and end. Plans keep to it. */
export function VehicleFields() {
  const { register, watch, formState } = useFormContext<TypedVehicle>();
  const errors = formState.errors.vehicleInfo;
  const type = watch('vehicleInfo.type');
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="sr-only">Vehicle</legend>
      <p className="text-ui font-medium">Vehicle</p>
      <p className="mb-3 text-ui text-ink-2">
        Planned routes keep to what it can carry. What is left blank has no limit.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Vehicle Type" optional error={errors?.type?.message}>
          <Input {...register('vehicleInfo.type')} maxLength={80} placeholder="Van" />
        </Field>
        <Field label="Vehicle Model" optional error={errors?.model?.message}>
          <Input {...register('vehicleInfo.model')} maxLength={80} />
        </Field>
        <Field label="License Plate" optional error={errors?.licensePlate?.message}>
          <Input {...register('vehicleInfo.licensePlate')} maxLength={80} autoCapitalize="characters" />
        </Field>
        <Field label="Capacity" optional error={errors?.capacityKg?.message}>
          <Input {...register('vehicleInfo.capacityKg')} inputMode="decimal" maxLength={9} end="kg" />
        </Field>
        <Field label="Most Stops of a Route" optional error={errors?.maxStops?.message}>
          <Input {...register('vehicleInfo.maxStops')} inputMode="numeric" maxLength={3} />
        </Field>
        <Field
          label="CO2"
          optional
          error={errors?.gramsPerKm?.message}
          hint={`Left blank: ${gramsPerKmOf({ type, gramsPerKm: null })} g/km, as usual for the vehicle type`}
        >
          <Input {...register('vehicleInfo.gramsPerKm')} inputMode="numeric" maxLength={4} end="g/km" endIsWord />
        </Field>
        <div className="sm:col-span-2">
          <Checkbox
            label="Refrigerated"
            hint="Only vehicles that keep cold get packages that must be refrigerated."
            {...register('vehicleInfo.refrigerated')}
          />
        </div>
        <PlaceField name="startPlace" label="Routes Begin At" />
        <PlaceField name="endPlace" label="Routes End At" />
      </div>
    </fieldset>
  );
}
