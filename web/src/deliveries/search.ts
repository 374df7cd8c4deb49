import { choiceParam, PagesParam, searchOf, TextParam } from '../platform/search-params.ts';
import type { DeliveryListName } from './queries.ts';

export const deliveryFilters = ['mine', 'completed', 'pending', 'active'] as const;
export type DeliveryFilter = (typeof deliveryFilters)[number];

/** URL parameters of the driver dashboard: a list or a card's filter, and a search. */
export const DeliverySearch = searchOf({
  /** The id of the stop in view on a phone; without it the next one. */
  stop: TextParam,
  show: choiceParam(deliveryFilters),
  /** `round`: the load check of a planned round, or the end of one on the road. */
  view: choiceParam(['round']),
  q: TextParam,
  pages: PagesParam,
});
export type DeliverySearch = ReturnType<typeof DeliverySearch>;

/** The tab that a filter belongs to; 'active' is on the driver's own. */
export const listOf = (show: DeliveryFilter | undefined): DeliveryListName =>
  show === 'pending' || show === 'completed' ? show : 'mine';
