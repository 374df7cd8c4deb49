import { dayIn } from '@waybill/contract';

const dayMs = 86_400_000;
const dayAfter = (day: string, days = 1): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
const isSunday = (day: string): boolean => new Date(day).getUTCDay() === 0;
const laterOf = (...days: string[]): string => days.toSorted().at(-1) ?? '';

/** How far ahead the schedule is asked. */
export const scheduleDays = 28;

export interface TriedPackage {
  /** When it came back: the last failed attempt, or when it was counted back at the end of a route. */
  since: Date;
  returns: boolean;
  /** What its owner or recipient chose, if anything. */
  wish: string | null;
  window: { from: Date; to: Date } | null;
  /** In kg. */
  weight: number;
}

/** A day on which somebody drives. */
export interface WorkingDay {
  day: string;
  /** The heaviest package that still fits: what a vehicle without a route carries, or what a route leaves free. */
  kilograms: number;
}

/**
 * The day of the next attempt: the first one after the last on which a route could take it. Not before the day that its owner or recipient
 * chose, nor outside of the days of a window that is still ahead; what goes back to its owner has neither. Working days are those that somebody is
 * scheduled or a route is planned on; those without room for it only count where no day of the schedule has any. Where the schedule says
 * nothing yet it is any day but a Sunday.
 */
export function proposeDay(
  { since, returns, wish, window, weight }: TriedPackage,
  { now, timeZone, workingDays }: { now: Date; timeZone: string; workingDays: readonly WorkingDay[] },
): string {
  const today = dayIn(timeZone, now);
  const wished = !returns && window && window.to > now ? window : null;
  const earliest = laterOf(
    today,
    dayAfter(dayIn(timeZone, since)),
    ...(!returns && wish !== null ? [wish] : []),
    ...(wished ? [dayIn(timeZone, wished.from)] : []),
  );
  const lastWished = wished && dayIn(timeZone, wished.to);
  // A window that cannot be kept any more, as it was tried or somebody chose a day after it, excludes nothing.
  const isBound = lastWished !== null && lastWished >= earliest;
  const possible = workingDays
    .filter(({ day }) => day >= earliest && (!isBound || day <= lastWished))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const scheduled = possible.find(({ kilograms }) => kilograms >= weight) ?? possible[0];
  if (scheduled) return scheduled.day;
  return isSunday(earliest) && !isBound ? dayAfter(earliest) : earliest;
}

/** The last day whose schedule counts. */
export const lastScheduledDay = (today: string): string => dayAfter(today, scheduleDays);
