import { catch as caught, enum as oneOf, object, optional, pipe, string, transform, union, number } from 'zod/mini';
import type { output } from 'zod/mini';
import { DayParam, IdParam, PagesParam, TextParam, choiceParam, sortsOf } from '../platform/search-params.ts';
import { cardFigures, dimensions, isMonth, periods } from './periods.ts';

const days = caught(optional(pipe(pipe(union([string(), number()]), transform(String)), oneOf(periods))), undefined);

/** URL parameters of the dashboard. The router parses digits as a number. */
export const DashboardSearch = object({
  figure: choiceParam(cardFigures),
  days,
  pages: PagesParam,
  /** Number of the open incident. */
  incident: caught(optional(number()), undefined),
});
export type DashboardSearch = output<typeof DashboardSearch>;

const month = caught(
  optional(
    pipe(
      string(),
      transform((typed) => (isMonth(typed) ? typed : undefined)),
    ),
  ),
  undefined,
);

/** What the figures of a breakdown can be sorted by. */
export const breakdownSorts = sortsOf([
  'name',
  'completed',
  'failed',
  'successRate',
  'onTimeRate',
  'firstAttemptSuccess',
  'attemptsPerPackage',
  'averageDeliveryTime',
  'stopsPerHour',
  'minutesAtDoor',
  'returns',
  'kilometres',
  'co2Kg',
]);
export type BreakdownSort = (typeof breakdownSorts)[number];

export const ReportSearch = object({
  figure: TextParam,
  days,
  month,
  /** Both: chosen days, instead of `days` and `month`. */
  from: DayParam,
  to: DayParam,
  /** The dimension of the breakdown, the order of its rows, and the one whose packages are listed. */
  by: choiceParam(dimensions),
  sort: choiceParam(breakdownSorts),
  key: TextParam,
  pages: PagesParam,
  /** The id of the package that is open beside the rows. */
  open: IdParam,
});
export type ReportSearch = output<typeof ReportSearch>;
