import type { AttemptFigures, BreakdownDimension, BreakdownRow } from '@waybill/contract';
import { formatCount, formatDay, formatLongMonth } from '../platform/formats.ts';
import type { Column } from '../ui/DataTable.tsx';
import { formatRate } from './figures.ts';
import type { BreakdownSort } from './search.ts';

export const dimensionNames: Record<BreakdownDimension, string> = {
  month: 'Month',
  driver: 'Driver',
  owner: 'Owner',
  town: 'Town',
  depot: 'Depot',
  route: 'Route',
};

const nameless: Record<BreakdownDimension, string> = {
  month: '',
  driver: 'Deleted account',
  owner: 'Deleted account',
  town: 'No address given',
  depot: 'No depot',
  route: 'Without a route',
};

/** 'Dora Driver', 'November 2026' or '23/11/2026, Dora Driver' */
export function nameOfGroup(by: BreakdownDimension, { key, name, route }: BreakdownRow): string {
  if (route) return [formatDay(route.day), route.driver].filter(Boolean).join(', ');
  if (by === 'month') return formatLongMonth(key);
  return name ?? (by === 'town' && key !== '' ? key : nameless[by]);
}

/** '8.3', or a dash for nothing to divide by. */
const formatOne = (value: number | null) => (value === null ? '–' : value.toFixed(1));
const formatPart = (rate: number | null) => (rate === null ? '–' : formatRate(rate));
const formatTwo = (value: number | null) => (value === null ? '–' : value.toFixed(2));
const formatTime = (minutes: number | null) =>
  minutes === null ? '–' : `${formatCount(minutes < 10 ? Math.round(minutes * 10) / 10 : Math.round(minutes))} min`;

export const formatKilometres = (value: number | null) =>
  value === null ? '–' : `${formatCount(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} km`;
export const formatCo2 = (value: number | null) =>
  value === null ? '–' : `${formatCount(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} kg`;

interface Figure {
  field: Exclude<keyof AttemptFigures, 'onTime' | 'firstAttempts'>;
  title: string;
  format: (value: number | null) => string;
  /** The width of the table from which it is shown. */
  from?: string;
}

/** In the order of the columns. */
const figures: readonly Figure[] = [
  { field: 'failed', title: 'Failed', format: (count) => formatCount(count ?? 0) },
  { field: 'successRate', title: 'Success rate', format: formatPart },
  { field: 'onTimeRate', title: 'On time', format: formatPart },
  { field: 'firstAttemptSuccess', title: 'First attempt', format: formatPart, from: '@max-[56rem]:hidden' },
  { field: 'attemptsPerPackage', title: 'Attempts each', format: formatTwo, from: '@max-[66rem]:hidden' },
  { field: 'averageDeliveryTime', title: 'Delivery time', format: formatTime, from: '@max-[60rem]:hidden' },
  { field: 'stopsPerHour', title: 'Stops an hour', format: formatOne, from: '@max-[44rem]:hidden' },
  { field: 'minutesAtDoor', title: 'At the door', format: formatTime, from: '@max-[44rem]:hidden' },
  { field: 'returns', title: 'Returns', format: (count) => formatCount(count ?? 0), from: '@max-[36rem]:hidden' },
  { field: 'kilometres', title: 'Driven', format: formatKilometres, from: '@max-[74rem]:hidden' },
  { field: 'co2Kg', title: 'CO2', format: formatCo2, from: '@max-[74rem]:hidden' },
];

/** How a count has changed: '+12', '−3' or null for no change. */
export const formatChange = (change: number): string | null =>
  change === 0 ? null : `${change > 0 ? '+' : '−'}${formatCount(Math.abs(change))}`;

export const breakdownColumns = (by: BreakdownDimension): Column<BreakdownRow>[] => [
  {
    id: 'name',
    title: dimensionNames[by],
    sort: 'name',
    className: 'md:max-w-0 md:w-[22%]',
    phone: 'title',
    cell: (row) => (
      <span className="block truncate font-medium text-ink max-md:text-[0.9375rem]" title={nameOfGroup(by, row)}>
        {nameOfGroup(by, row)}
        {row.route?.depot && <span className="font-normal text-ink-3 max-md:hidden"> {row.route.depot}</span>}
      </span>
    ),
  },
  {
    id: 'summary',
    title: 'Summary',
    untitled: true,
    className: 'md:hidden',
    phone: 'detail',
    cell: ({ failed, onTimeRate, stopsPerHour }) => (
      <span className="figures block truncate text-meta text-ink-2">
        {[
          `${formatPart(onTimeRate)} on time`,
          failed > 0 && `${formatCount(failed)} failed`,
          stopsPerHour !== null && `${formatOne(stopsPerHour)} an hour`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    ),
  },
  {
    id: 'completed',
    title: 'Delivered',
    sort: 'completed',
    numeric: true,
    phone: 'end',
    cell: ({ completed, completedBefore }) => (
      <span className="whitespace-nowrap">
        <span className="font-medium text-ink">{formatCount(completed)}</span>{' '}
        <span className="text-meta text-ink-3 max-md:hidden">{formatChange(completed - completedBefore) ?? '='}</span>
      </span>
    ),
  },
  ...figures.map(({ field, title, format, from }): Column<BreakdownRow> => ({
    id: field,
    title,
    sort: field,
    numeric: true,
    ...(from && { className: from }),
    ...(field === 'successRate' && { phone: 'end detail' as const }),
    cell: (row) => <span className="whitespace-nowrap text-ink-2">{format(row[field])}</span>,
  })),
];

/** Rows without a value are last, in either direction. The server's order without a sort. */
export function sortBreakdown(
  rows: readonly BreakdownRow[],
  by: BreakdownDimension,
  sort: BreakdownSort | undefined,
): readonly BreakdownRow[] {
  if (sort === undefined) return rows;
  const isDescending = sort.startsWith('-');
  const field = (isDescending ? sort.slice(1) : sort) as Figure['field'] | 'completed' | 'name';
  const turned = isDescending ? -1 : 1;
  if (field === 'name') {
    // Months and days of routes sort as they are written on the wire.
    const keyOf = (row: BreakdownRow) =>
      by === 'month' ? row.key : row.route ? `${row.route.day} ${row.route.driver ?? ''}` : nameOfGroup(by, row);
    return rows.toSorted((a, b) => turned * keyOf(a).localeCompare(keyOf(b)));
  }
  return rows.toSorted((a, b) => {
    const [first, second] = [a[field], b[field]];
    if (first === null || second === null) return (first === null ? 1 : 0) - (second === null ? 1 : 0);
    return turned * (first - second);
  });
}
