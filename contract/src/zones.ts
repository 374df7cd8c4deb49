import { z } from 'zod';

/** Whether the platform knows it as an IANA zone. Bare offsets are left out: their sign means the opposite in places. */
const isZone = (zone: string) => {
  try {
    return /^[A-Za-z]/.test(zone) && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The zone whose days are meant: the viewer's. */
export const Zone = z
  .string()
  .max(60)
  .refine(isZone, 'zone must be an IANA time zone like Europe/Berlin')
  .default('UTC');
