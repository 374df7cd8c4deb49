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

/** Where the form shows what is wrong with a field of the contract's. */
export const fieldOf = (path: string) => (path === 'startsAt' ? 'day' : path === 'endsAt' ? 'to' : path);

/** The contract's rules for a shift that is typed as a day and two times of it. */
export const shiftFormSchema = (shift: Shift | null) =>
  TypedShift.check(({ value, issues }) => {
    const moments = momentsOf(shift, value);
    if (!moments) return;
    for (const { path, message } of ShiftTimes.safeParse(moments).error?.issues ?? [])
      issues.push({ code: 'custom', input: value, path: [fieldOf(String(path[0]))], message });
  });
export type ShiftForm = z.output<typeof TypedShift>;

/**
 * What is typed, as moments; null while something is missing. A moment of the shift that nobody has changed stays, also in the hour that
 * comes twice, which a time alone cannot tell.
 */
export function momentsOf(shift: Shift | null, { day, from, to }: Pick<ShiftForm, 'day' | 'from' | 'to'>) {
  if (!day || !from || !to) return null;
  const times = timesOf(day, from, to);
  if (!shift) return times;
  const kept = (moment: string, now: string) =>
    timeOf(moment) === timeOf(now) && localDay(new Date(moment)) === localDay(new Date(now)) ? moment : now;
  return { startsAt: kept(shift.startsAt, times.startsAt), endsAt: kept(shift.endsAt, times.endsAt) };
}
