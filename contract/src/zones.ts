import * as z from 'zod/mini';

/** Whether the platform knows the IANA zone. Bare offsets are rejected: their sign is ambiguous (`Etc/GMT+1` is UTC-1). */
const isZone = (zone: string) => {
  try {
    return /^[A-Za-z]/.test(zone) && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const zoneOf = (error: string) => z.string(error).check(z.maxLength(60, error), z.refine(isZone, error));

// Creating a formatter takes 20 µs, formatting with it less than 1 µs. Bounded, since requests name zones.
const dayFormats = new Map<string, Intl.DateTimeFormat>();
const maxDayFormats = 100;

function dayFormatOf(zone: string): Intl.DateTimeFormat {
  const known = dayFormats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  if (dayFormats.size >= maxDayFormats) dayFormats.clear();
  dayFormats.set(zone, format);
  return format;
}

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date): string => dayFormatOf(zone).format(at);

/** The organisation's zone. */
export const TimeZone = zoneOf('must be an IANA time zone like Europe/Berlin');

/** The zone of the days in a request; the default is the organisation's. */
export const Zone = z.optional(zoneOf('zone must be an IANA time zone like Europe/Berlin'));
