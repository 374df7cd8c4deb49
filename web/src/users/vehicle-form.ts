import { PositionInput, VehicleInput } from '@waybill/contract';
import type { PositionInput as Position, User } from '@waybill/contract';
import * as z from 'zod/mini';
import { fromText, numberFromText } from '../platform/text-inputs.ts';

const coordinates = /^\s*-?\d{1,2}(\.\d+)?\s*[,;\s]\s*-?\d{1,3}(\.\d+)?\s*$/;

/** Latitude first, as maps and phones copy it. Null for anything else. */
export function readPlace(typed: string): Position | null {
  if (!coordinates.test(typed)) return null;
  const [lat = NaN, lon = NaN] = typed
    .trim()
    .split(/[,;\s]+/)
    .map(Number);
  return { lon, lat };
}

export const placeText = (place: Position | null): string => (place ? `${place.lat}, ${place.lon}` : '');

const PlaceText = z.pipe(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (typed) => typed.trim() === '' || readPlace(typed) !== null,
          'Please choose one of the addresses that are found, or enter latitude and longitude',
        ),
      ),
    z.transform(readPlace),
  ),
  z.nullable(PositionInput),
);

const { type, model, licensePlate, capacityKg, maxStops, gramsPerKm } = VehicleInput.shape;

/** The vehicle of a driver, and where their routes begin and end, as typed. */
export const vehicleFields = {
  vehicleInfo: z.pipe(
    z.object({
      type: fromText(type),
      model: fromText(model),
      licensePlate: fromText(licensePlate),
      capacityKg: numberFromText(capacityKg),
      maxStops: numberFromText(maxStops),
      gramsPerKm: numberFromText(gramsPerKm),
      refrigerated: z.boolean(),
    }),
    z.transform(({ refrigerated, ...vehicle }): VehicleInput => ({
      ...vehicle,
      skills: refrigerated ? ['refrigerated'] : [],
    })),
  ),
  startPlace: PlaceText,
  endPlace: PlaceText,
};

const numberText = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value));

export const typedVehicle = (user: Pick<User, 'vehicleInfo' | 'startPlace' | 'endPlace'> | null) => ({
  vehicleInfo: {
    type: user?.vehicleInfo?.type ?? '',
    model: user?.vehicleInfo?.model ?? '',
    licensePlate: user?.vehicleInfo?.licensePlate ?? '',
    capacityKg: numberText(user?.vehicleInfo?.capacityKg),
    maxStops: numberText(user?.vehicleInfo?.maxStops),
    gramsPerKm: numberText(user?.vehicleInfo?.gramsPerKm),
    refrigerated: user?.vehicleInfo?.skills.includes('refrigerated') ?? false,
  },
  startPlace: placeText(user?.startPlace ?? null),
  endPlace: placeText(user?.endPlace ?? null),
});

export type TypedVehicle = ReturnType<typeof typedVehicle>;
