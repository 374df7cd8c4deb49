import { catch as caught, number, object, optional, pipe, string, transform, union } from 'zod/mini';
import type { output } from 'zod/mini';

/** What the schedule shows, as it stands in the URL: any day of a week, and whose shifts. */
export const ScheduleSearch = object({
  week: caught(optional(string()), undefined),
  q: caught(optional(pipe(union([string(), number()]), transform(String))), undefined),
});
export type ScheduleSearch = output<typeof ScheduleSearch>;
