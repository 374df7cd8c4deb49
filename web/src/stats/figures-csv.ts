import type { PerformanceDay } from '@waybill/contract';

/** In the order of PeriodFigures. */
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

/** Rounds to two decimals, enough for rates and averages of a day. */
const formatValue = (value: string | number | null) =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : (value ?? '');

/** The figures of each day as CSV in the format of the server's exports. Days and numbers need no quotes. */
export function csvOfDays(days: readonly PerformanceDay[]): string {
  const lines = days.map((day) => columns.map((name) => formatValue(day[name])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}
