import { catch as caught, object, optional, string } from 'zod/mini';
import type { output } from 'zod/mini';
import { troubleParams } from '../packages/filters.ts';
import { PagesParam, TextParam } from '../platform/search-params.ts';

/** What the inventory shows, as it stands in the URL: places that are searched for, and packages: those of a count, or found. */
export const InventorySearch = object({
  q: TextParam,
  place: TextParam,
  status: caught(optional(string()), undefined),
  /** Among packages. */
  find: TextParam,
  ...troubleParams,
  /** Of the packages where a count is chosen, else of the places. */
  pages: PagesParam,
});
export type InventorySearch = output<typeof InventorySearch>;
