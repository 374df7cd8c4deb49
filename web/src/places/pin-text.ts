import { PositionInput } from '@waybill/contract';
import * as z from 'zod/mini';

export const pinHint = 'For example 53.54610, 9.96580';

const written = /^\s*-?\d{1,2}(\.\d+)?\s*[,;\s]\s*-?\d{1,3}(\.\d+)?\s*$/;

/** Latitude first, as maps and phones copy it. */
function readPin(text: string) {
  const [lat = NaN, lon = NaN] = text
    .trim()
    .split(/[,;\s]+/)
    .map(Number);
  return { lat, lon };
}

export const pinText = (place: { lat: number; lon: number } | null): string =>
  place ? `${place.lat}, ${place.lon}` : '';

/** The pin that is typed; null for what is none. */
export const typedPin = (text: string) =>
  written.test(text) ? (PositionInput.safeParse(readPin(text)).data ?? null) : null;

export const PinText = z.pipe(
  z.string().check(z.regex(written, `Please enter latitude and longitude. ${pinHint}`)),
  z.pipe(z.transform(readPin), PositionInput),
);
