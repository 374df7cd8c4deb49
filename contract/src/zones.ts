import * as z from 'zod/mini';

/** Whether the platform knows it as an IANA zone. Bare offsets are left out: their sign means the opposite in places. */
const isZone = (zone: string) => {
  try {
    return /^[A-Za-z]/.test(zone) && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const zoneOf = (unknown: string) => z.string(unknown).check(z.maxLength(60, unknown), z.refine(isZone, unknown));

/** The calendar day of a moment in a zone, `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

/** Where the organisation is. */
export const TimeZone = zoneOf('must be an IANA time zone like Europe/Berlin');

/** The zone whose days are meant; left out, the organisation's. */
export const Zone = z.optional(zoneOf('zone must be an IANA time zone like Europe/Berlin'));
