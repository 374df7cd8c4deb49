import { catch as caught, enum as oneOf, object, optional, pipe, string, transform, union, number } from 'zod/mini';
import type { output } from 'zod/mini';
import { IdParam, PagesParam, TextParam, choiceParam } from '../platform/search-params.ts';
import { cardFigures, isMonth, periods } from './periods.ts';

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

export const ReportSearch = object({
  figure: TextParam,
  days,
  month,
  pages: PagesParam,
  /** The id of the package that is open beside the rows. */
  open: IdParam,
});
export type ReportSearch = output<typeof ReportSearch>;
