import { object } from 'zod/mini';
import type { output } from 'zod/mini';
import { PagesParam, TextParam } from '../platform/search-params.ts';

/** URL parameters of the schedule: any day of the week, and a search for drivers. */
export const ScheduleSearch = object({
  week: TextParam,
  q: TextParam,
  pages: PagesParam,
});
export type ScheduleSearch = output<typeof ScheduleSearch>;
