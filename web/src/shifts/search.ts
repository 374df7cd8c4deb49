import { PagesParam, searchOf, TextParam } from '../platform/search-params.ts';

/** URL parameters of the schedule: any day of the week, and a search for drivers. */
export const ScheduleSearch = searchOf({
  week: TextParam,
  q: TextParam,
  pages: PagesParam,
});
export type ScheduleSearch = ReturnType<typeof ScheduleSearch>;
