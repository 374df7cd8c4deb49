import { ShiftInput, ShiftTimes } from '@waybill/contract';
import type { Shift } from '@waybill/contract';
import * as z from 'zod/mini';
import { localDay } from '../platform/formats.ts';
import { fromText } from '../platform/text-inputs.ts';
import { timeOf, timesOf } from './week.ts';

const required = (message: string) => z.string().check(z.minLength(1, message));

const TypedShift = z.object({
  driverId: required('Please choose a driver'),
  day: required('Please choose a date'),
  from: required('Please choose a time'),
  to: required('Please choose a time'),
  note: fromText(ShiftInput.shape.note),
});

/** Maps a field of the contract to the form field that shows its error. */
export const fieldOf = (path: string) => (path === 'startsAt' ? 'day' : path === 'endsAt' ? 'to' : path);

/** The contract's rules for a shift entered as a day and two times. */
export const shiftFormSchema = (shift: Shift | null) =>
  TypedShift.check(({ value, issues }) => {
    const moments = momentsOf(shift, value);
    if (!moments) return;
    for (const { path, message } of ShiftTimes.safeParse(moments).error?.issues ?? [])
      issues.push({ code: 'custom', input: value, path: [fieldOf(String(path[0]))], message });
  });
export type ShiftForm = z.output<typeof TypedShift>;

/**
 * The input as instants; null while incomplete. An unchanged instant of `shift` is kept: in the hour that a clock change repeats, a time
 * alone is ambiguous.
 */
export function momentsOf(shift: Shift | null, { day, from, to }: Pick<ShiftForm, 'day' | 'from' | 'to'>) {
  if (!day || !from || !to) return null;
  const times = timesOf(day, from, to);
  if (!shift) return times;
  const keepUnchanged = (moment: string, now: string) =>
    timeOf(moment) === timeOf(now) && localDay(new Date(moment)) === localDay(new Date(now)) ? moment : now;
  return { startsAt: keepUnchanged(shift.startsAt, times.startsAt), endsAt: keepUnchanged(shift.endsAt, times.endsAt) };
}
