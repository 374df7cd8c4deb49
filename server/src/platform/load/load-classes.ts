import type { Endpoint } from '@waybill/contract';

export interface ConcurrencyBounds {
  /** Requests in flight in one process. */
  room: number;
  /** Of these, how many one account may have; and one network address, where nobody is signed in. */
  each?: number;
  eachAddress?: number;
  /** How many are worked on at a time, of all and of one account; the others of them wait for their turn. */
  running?: number;
  runningEach?: number;
  /** Carries files or pages: it may take long as long as it makes progress. */
  long?: true;
}

/**
 * Requests that one process carries at once, by class, each with room of its own: a flood of one kind leaves the others alone.
 * Counted in flight and not by the delay of the event loop, which does not see that the database is what they wait for.
 */
export const loadClasses = {
  // No share for each address: behind one may be a whole network of phones, and nobody can make a lookup last.
  lookups: { room: 256 },
  // HTML and the files of the build.
  pages: { room: 256, eachAddress: 64, long: true },
  pictures: { room: 256, eachAddress: 32, long: true },
  actions: { room: 64, each: 8 },
  // Of the ten database connections of a process they leave four to all others.
  searches: { room: 40, each: 8, running: 6, runningEach: 2 },
  rest: { room: 40, each: 8, eachAddress: 16 },
  sign: { room: 20, each: 8, eachAddress: 16 },
  transfers: { room: 8, each: 4, long: true },
  // The look-up of a token in the database, before its request is anything else.
  tokens: { room: 256, eachAddress: 64 },
  health: { room: Infinity },
} satisfies Record<string, ConcurrencyBounds>;
export type LoadClass = keyof typeof loadClasses;
export const loadClassNames = Object.keys(loadClasses) as LoadClass[];

export const boundsOf = (load: LoadClass): ConcurrencyBounds => loadClasses[load];

/** The class of an endpoint of the contract. Other routes say it in their `config.load`, or are pages. */
export function loadClassOf(endpoint: Endpoint): LoadClass {
  const { body, file, load, reply } = endpoint;
  return load ?? (file || body === 'csv' || reply === 'csv' ? 'transfers' : 'rest');
}

/** A list that is searched or counted can cost a thousand times what its page does. */
export const isSearch = ({ list }: Endpoint, query: unknown): boolean =>
  list === true &&
  typeof query === 'object' &&
  query !== null &&
  (('q' in query && query.q !== '') || ('count' in query && query.count !== 'false'));
