import { catch as caught, enum as oneOf, number, object, optional, pipe, string, transform, union } from 'zod/mini';
import type { output } from 'zod/mini';
import type { DeliveryListName } from './queries.ts';

export const deliveryFilters = ['mine', 'completed', 'pending', 'active'] as const;
export type DeliveryFilter = (typeof deliveryFilters)[number];

/** What a driver looks at, as it stands in the URL: a list or a card's filter, and words to search for. */
export const DeliverySearch = object({
  show: caught(optional(oneOf(deliveryFilters)), undefined),
  q: caught(optional(pipe(union([string(), number()]), transform(String))), undefined),
});
export type DeliverySearch = output<typeof DeliverySearch>;

/** The tab a filter belongs to. What is active are the driver's own deliveries. */
export const listOf = (show: DeliveryFilter | undefined): DeliveryListName =>
  show === 'pending' || show === 'completed' ? show : 'mine';
