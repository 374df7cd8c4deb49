import type { PerformanceDay } from '@waybill/contract';

/** In the order of the list of figures. */
const columns = [
  'day',
  'created',
  'started',
  'completed',
  'onTime',
  'late',
  'failed',
  'successRate',
  'onTimeRate',
  'firstAttemptSuccess',
  'averageDeliveryTime',
  'issuesOpened',
  'issuesResolved',
  'ratings',
  'satisfaction',
] as const satisfies readonly (keyof PerformanceDay)[];

/** Two decimals say all that a rate or an average of a day can. */
const written = (value: string | number | null) =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : (value ?? '');

/** The figures of each day, as the server's own exports are written. Days and numbers need no quotes. */
export function csvOfDays(days: readonly PerformanceDay[]): string {
  const lines = days.map((day) => columns.map((name) => written(day[name])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}
