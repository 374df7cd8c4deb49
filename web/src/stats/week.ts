import type { PerformanceDay } from '@waybill/contract';

type Count = 'created' | 'started' | 'completed' | 'issuesOpened';

/** A count of the last seven days, by day, with its sum and that of the seven days before. */
export interface Week {
  counts: number[];
  sum: number;
  before: number;
}

/** @param days at least 14, oldest first */
export function weekOf(days: readonly PerformanceDay[], count: Count): Week {
  const counts = days.map((day) => day[count]);
  const add = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);
  return { counts: counts.slice(-7), sum: add(counts.slice(-7)), before: add(counts.slice(-14, -7)) };
}
