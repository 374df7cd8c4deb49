import { catch as caught, enum as oneOf, object, optional } from 'zod/mini';
import type { output } from 'zod/mini';
import { PagesParam, TextParam } from '../platform/search-params.ts';
import type { DeliveryListName } from './queries.ts';

export const deliveryFilters = ['mine', 'completed', 'pending', 'active'] as const;
export type DeliveryFilter = (typeof deliveryFilters)[number];

/** URL parameters of the driver dashboard: a list or a card's filter, and a search. */
export const DeliverySearch = object({
  /** The id of the stop in view on a phone; without it the next one. */
  stop: TextParam,
  show: caught(optional(oneOf(deliveryFilters)), undefined),
  /** `round`: the load check of a planned round, or the end of one on the road. */
  view: caught(optional(oneOf(['round'])), undefined),
  q: TextParam,
  pages: PagesParam,
});
export type DeliverySearch = output<typeof DeliverySearch>;

/** The tab that a filter belongs to; 'active' is on the driver's own. */
export const listOf = (show: DeliveryFilter | undefined): DeliveryListName =>
  show === 'pending' || show === 'completed' ? show : 'mine';
