import { troubleParams } from '../packages/search.ts';
import { IdParam, PagesParam, searchOf, TextParam } from '../platform/search-params.ts';

/** URL parameters of the inventory: `q` searches places; `place` and `status` (a count) or `find` list packages. */
export const InventorySearch = searchOf({
  q: TextParam,
  place: TextParam,
  status: TextParam,
  /** Searches packages. */
  find: TextParam,
  ...troubleParams,
  /** Pages of packages when a count is chosen, else of places. */
  pages: PagesParam,
  /** The id of the package that is open beside the list. */
  open: IdParam,
});
export type InventorySearch = ReturnType<typeof InventorySearch>;
