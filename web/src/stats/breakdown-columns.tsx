import { fill } from '@waybill/contract';
import type { AttemptFigures, BreakdownDimension, BreakdownRow } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { formatLocale } from '../platform/format-language.ts';
import { money } from '../platform/money.ts';
import { formatCount, formatDay, formatLongMonth } from '../platform/formats.ts';
import type { Column } from '../ui/DataTable.tsx';
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

export type FigureWords = Omit<Texts['account']['figures'], 'title' | 'label' | 'none' | 'noneText'>;

/** Of the reports; drivers read their own figures in their language. */
export const english: FigureWords = {
  days: '{from} to {to}',
  period: '{from} to {to}, compared with the {days} days before',
  nothing: 'Nothing to compare',
  same: 'As before',
  change: '{change} vs before',
  points: ' points',
  month: 'Month',
  summary: 'Summary',
  onTimeOf: '{rate} on time',
  failedOf: '{count} failed',
  anHour: '{count} an hour',
  completed: 'Delivered',
  failed: 'Failed',
  successRate: 'Success rate',
  onTimeRate: 'On time',
  firstAttemptSuccess: 'First attempt',
  attemptsPerPackage: 'Attempts each',
  averageDeliveryTime: 'Delivery time',
  stopsPerHour: 'Stops an hour',
  minutesAtDoor: 'At the door',
  returns: 'Returns',
  kilometres: 'Driven',
  co2Kg: 'CO2',
  meaning: 'What these figures count',
  meanings: {
    completed:
      'Deliveries that were completed, on the day on which they ended. What was reopened, or collected at the depot, is in no figure.',
    successRate: 'Delivered, of all attempts that ended.',
    onTimeRate:
      'Of those delivered: by the end of the window, without one by the expected day, else by the estimated time.',
    firstAttemptSuccess: 'Of the first attempts that ended: those that were delivered.',
    attemptsPerPackage: 'How many attempts a delivered package needed.',
    averageDeliveryTime: 'Minutes from the start of a delivery until it was completed.',
    stopsPerHour:
      'Attempts that ended, by the hours on the road: from the start of the round, or from the stop before, to the end of each. The time of a return is left out.',
    minutesAtDoor: 'Minutes from “I’m here” until the attempt ended. One without it does not count.',
    returns: 'Packages that were brought back to their senders. A return is no attempt.',
    kilometres: 'Along the stops of finished rounds whose places are known.',
    co2Kg: 'By the kilometres driven, and what the vehicle emits.',
  },
};

/** '8.3' */
export const formatDecimals = (value: number, digits = 1): string =>
  value.toLocaleString(formatLocale ?? 'en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** '93.3%' */
export const formatPercent = (rate: number): string =>
  (rate / 100).toLocaleString(formatLocale ?? 'en', { style: 'percent', minimumFractionDigits: 1 });

/** '8.3', or a dash for nothing to divide by. */
const formatOne = (value: number | null) => (value === null ? '–' : formatDecimals(value));
const formatPart = (rate: number | null) => (rate === null ? '–' : formatPercent(rate));
const formatTwo = (value: number | null) => (value === null ? '–' : formatDecimals(value, 2));
const formatTime = (minutes: number | null) =>
  minutes === null ? '–' : `${formatCount(minutes < 10 ? Math.round(minutes * 10) / 10 : Math.round(minutes))} min`;

export const formatKilometres = (value: number | null) =>
  value === null ? '–' : `${formatCount(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} km`;
export const formatCo2 = (value: number | null) =>
  value === null ? '–' : `${formatCount(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} kg`;

interface Figure {
  field: Exclude<keyof AttemptFigures, 'onTime' | 'firstAttempts' | 'cost'>;
  format: (value: number | null) => string;
  /** The width of the table from which it is shown. */
  from?: string;
  /** Without rounds and places there is none. */
  isRare?: boolean;
}

/** In the order of the columns. */
const figures: readonly Figure[] = [
  { field: 'failed', format: (count) => formatCount(count ?? 0) },
  { field: 'successRate', format: formatPart },
  { field: 'onTimeRate', format: formatPart },
  { field: 'firstAttemptSuccess', format: formatPart, from: '@max-[56rem]:hidden' },
  { field: 'attemptsPerPackage', format: formatTwo, from: '@max-[66rem]:hidden' },
  { field: 'averageDeliveryTime', format: formatTime, from: '@max-[60rem]:hidden' },
  { field: 'stopsPerHour', format: formatOne, from: '@max-[44rem]:hidden' },
  { field: 'minutesAtDoor', format: formatTime, from: '@max-[52rem]:hidden' },
  { field: 'returns', format: (count) => formatCount(count ?? 0), from: '@max-[36rem]:hidden' },
  { field: 'kilometres', format: formatKilometres, from: '@max-[74rem]:hidden', isRare: true },
  { field: 'co2Kg', format: formatCo2, from: '@max-[74rem]:hidden', isRare: true },
];

/** How a count has changed: '+12', '−3' or null for no change. */
export const formatChange = (change: number): string | null =>
  change === 0 ? null : `${change > 0 ? '+' : '−'}${formatCount(Math.abs(change))}`;

/**
 * @param rows what is listed: what an installation may never measure is shown once one of them has it
 * @param currency of costs; null: they are not shown
 */
export const breakdownColumns = (
  by: BreakdownDimension,
  rows: readonly BreakdownRow[],
  words = english,
  currency: string | null = null,
): Column<BreakdownRow>[] => [
  {
    id: 'name',
    title: by === 'month' ? words.month : dimensionNames[by],
    sort: 'name',
    className: 'md:max-w-0 md:min-w-28 md:w-[22%]',
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
    title: words.summary,
    untitled: true,
    className: 'md:hidden',
    phone: 'detail',
    cell: ({ failed, onTimeRate, stopsPerHour }) => (
      <span className="figures block text-meta text-ink-2">
        {[
          fill(words.onTimeOf, { rate: formatPart(onTimeRate) }),
          failed > 0 && fill(words.failedOf, { count: formatCount(failed) }),
          stopsPerHour !== null && fill(words.anHour, { count: formatOne(stopsPerHour) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    ),
  },
  {
    id: 'completed',
    title: words.completed,
    sort: 'completed',
    numeric: true,
    phone: 'end',
    cell: ({ completed, completedBefore }) => (
      <span className="whitespace-nowrap">
        {/* A phone has no headers. */}
        <span className="text-meta text-ink-3 md:hidden">{words.completed} </span>
        <span className="font-medium text-ink">{formatCount(completed)}</span>{' '}
        {/* After nothing, the change is the number itself. */}
        {completedBefore > 0 && (
          <span className="text-meta text-ink-3 max-md:hidden">{formatChange(completed - completedBefore) ?? '='}</span>
        )}
      </span>
    ),
  },
  ...figures
    .filter(({ field, isRare }) => !isRare || rows.some((row) => row[field] !== null))
    .map(({ field, format, from }): Column<BreakdownRow> => ({
      id: field,
      title: words[field],
      sort: field,
      numeric: true,
      ...(from && { className: from }),
      ...(field === 'successRate' && { phone: 'end detail' as const }),
      cell: (row) => <span className="whitespace-nowrap text-ink-2">{format(row[field])}</span>,
    })),
  ...(currency === null
    ? []
    : [
        {
          id: 'cost',
          title: 'Cost',
          numeric: true,
          className: '@max-[82rem]:hidden',
          cell: ({ cost }: BreakdownRow) => (cost === null ? '–' : money(cost, currency)),
        },
      ]),
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
