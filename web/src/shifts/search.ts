import { catch as caught, object, optional, string } from 'zod/mini';
import type { output } from 'zod/mini';
import { PagesParam, TextParam } from '../platform/search-params.ts';

/** What the schedule shows, as it stands in the URL: any day of a week, and whose shifts. */
export const ScheduleSearch = object({
  week: caught(optional(string()), undefined),
  q: TextParam,
  pages: PagesParam,
});
export type ScheduleSearch = output<typeof ScheduleSearch>;
