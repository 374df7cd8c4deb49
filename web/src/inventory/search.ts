import { catch as caught, number, object, optional, pipe, string, transform, union } from 'zod/mini';
import type { output } from 'zod/mini';

/** A text in the URL; the router reads digits as a number. */
const words = pipe(union([string(), number()]), transform(String));

/** What the inventory shows, as it stands in the URL: places that are searched for, and the count whose packages are shown. */
export const InventorySearch = object({
  q: caught(optional(words), undefined),
  place: caught(optional(words), undefined),
  status: caught(optional(string()), undefined),
});
export type InventorySearch = output<typeof InventorySearch>;
