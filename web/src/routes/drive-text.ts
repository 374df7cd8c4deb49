import { formatCount } from '../platform/formats.ts';

/** '34 km', and '4.6 km' below ten. */
export const kilometres = (metres: number): string =>
  `${formatCount(metres < 9950 ? Math.round(metres / 100) / 10 : Math.round(metres / 1000))} km`;

/** '40 min' or '1 h 05' */
export function hours(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}
