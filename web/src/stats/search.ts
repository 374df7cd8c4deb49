import {
  checkedParam,
  choiceParam,
  DayParam,
  IdParam,
  NumberParam,
  PagesParam,
  searchOf,
  sortsOf,
  TextParam,
} from '../platform/search-params.ts';
import { cardFigures, dimensions, isMonth, periods } from './periods.ts';

const days = choiceParam(periods);

/** URL parameters of the dashboard. The router parses digits as a number. */
export const DashboardSearch = searchOf({
  figure: choiceParam(cardFigures),
  days,
  pages: PagesParam,
  /** Number of the open incident. */
  incident: NumberParam,
});
export type DashboardSearch = ReturnType<typeof DashboardSearch>;

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

export const ReportSearch = searchOf({
  figure: TextParam,
  days,
  month: checkedParam(isMonth),
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
export type ReportSearch = ReturnType<typeof ReportSearch>;
