import type { Endpoint } from '@waybill/contract';

export interface ConcurrencyBounds {
  /** Requests in flight in one process. */
  slots: number;
  /** Share of one account; and of one network address, for requests without a session. */
  perAccount?: number;
  perAddress?: number;
  /** How many run at a time, in all and of one account. The others wait in a fair queue. */
  running?: number;
  runningPerAccount?: number;
  /** Transfers files or pages: it may take up to 120 s while it makes progress. */
  long?: true;
}

/**
 * Requests in flight that one process accepts, by load class. Each class has its own slots (bulkheads), so a flood of one kind does not
 * affect the others. The signal is requests in flight, not event loop delay, which does not show that requests wait for the database.
 */
export const loadClasses = {
  // No share per address: a whole network of phones may be behind one (NAT), and a caller cannot make a lookup slow.
  lookups: { slots: 256 },
  // HTML and the built assets.
  pages: { slots: 256, perAddress: 64, long: true },
  pictures: { slots: 256, perAddress: 32, long: true },
  actions: { slots: 64, perAccount: 8 },
  // Running searches leave 4 of the process's 10 database connections to the other classes.
  searches: { slots: 40, perAccount: 8, running: 6, runningPerAccount: 2 },
  // One answer for all who ask at the same time, as the screens of all drivers do: waiting for it costs nothing.
  shared: { slots: 256, perAccount: 8 },
  // A short burst of one account waits, as of a program that creates packages.
  rest: { slots: 40, perAccount: 16, perAddress: 16, running: 40, runningPerAccount: 8 },
  sign: { slots: 20, perAccount: 8, perAddress: 16 },
  transfers: { slots: 8, perAccount: 4, long: true },
  // Looking up a session token in the database, before its request has a slot of its own.
  tokens: { slots: 256, perAddress: 64 },
  health: { slots: Infinity },
} satisfies Record<string, ConcurrencyBounds>;
export type LoadClass = keyof typeof loadClasses;
export const loadClassNames = Object.keys(loadClasses) as LoadClass[];

export const boundsOf = (load: LoadClass): ConcurrencyBounds => loadClasses[load];

/** The load class of an endpoint of the contract. Other routes set it in `config.load`, and are pages by default. */
export function loadClassOf(endpoint: Endpoint): LoadClass {
  const { body, file, load, reply } = endpoint;
  return (
    load ?? (file || body === 'csv' || reply === 'csv' || reply === 'pdf' || reply === 'zip' ? 'transfers' : 'rest')
  );
}

/** Whether a list request searches or counts, which can cost a thousand times what its page costs. */
export const isSearch = ({ list, load }: Endpoint, query: unknown): boolean =>
  list === true &&
  typeof query === 'object' &&
  query !== null &&
  (('q' in query && query.q !== '') ||
    ('count' in query && query.count !== 'false' && !(load === 'shared' && isPlain(query))));

/** The beginning of a list, and nothing else: its number is kept. */
const isPlain = (query: object): boolean => Object.keys(query).every((name) => name === 'count' || name === 'limit');
