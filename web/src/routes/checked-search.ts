import { windowParts } from '@waybill/contract';
import type { WaitingFilter } from '@waybill/contract';
import { IdParam, searchOf, TextParam } from '../platform/search-params.ts';
import { laneOrders } from './lane-order.ts';
import type { LaneOrder } from './lane-order.ts';
import type { DispatchSearch } from './search.ts';

const readTexts = searchOf({
  day: TextParam,
  depot: IdParam,
  show: TextParam,
  view: TextParam,
  map: TextParam,
  sort: TextParam,
  q: TextParam,
  place: TextParam,
  window: TextParam,
  owner: IdParam,
  ownedBy: TextParam,
  kgFrom: TextParam,
  kgTo: TextParam,
  reference: TextParam,
  attempts: TextParam,
  due: TextParam,
  ill: IdParam,
});

const attempts = ['0', '1', '2'] as const;

/** The parameters of a URL that somebody may have typed: what means nothing is absent. */
export interface CheckedSearch extends Omit<DispatchSearch, 'window' | 'attempts' | 'sort'> {
  window?: WaitingFilter['window'];
  attempts?: WaitingFilter['attempts'];
  sort?: LaneOrder;
}

export function checked(typed: DispatchSearch): CheckedSearch {
  const search = readTexts(typed);
  return {
    ...search,
    day: search.day !== undefined && isDay(search.day) ? search.day : undefined,
    window: windowParts.find((part) => part === search.window),
    attempts: attempts.find((number) => number === search.attempts),
    kgFrom: kilogramsOf(search.kgFrom),
    kgTo: kilogramsOf(search.kgTo),
    sort: laneOrders.find((order) => order === search.sort),
    view: search.view === 'timeline' ? 'timeline' : undefined,
    due: search.due === 'day' ? 'day' : undefined,
  };
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A number of kilograms as the server takes it; absent if it is none. */
export const kilogramsOf = (typed: string | undefined): string | undefined =>
  typed !== undefined && /^\d{1,3}(\.\d{1,3})?$/.test(typed) ? typed : undefined;
