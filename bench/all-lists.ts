import { periodFigures, presentFigures } from '@waybill/contract';
import type { Session } from './product.ts';
import { administrator, driverEmail, largeOwner, rareName, smallOwner } from './seed.ts';

/** A request for a page of a list, or for the beginning of an export. */
export interface ListCall {
  name: string;
  /** The account in each table that has most rows. */
  as: { small: string; large: string };
  /** Whether it is a page, which has the same number of rows in both tables. Not the beginning of an export. */
  isEven: boolean;
  /** @returns the number of rows, where it is known */
  run(session: Session, limit: number): Promise<number | null>;
}

/** Rows per page: few enough that most lists of the small table fill it. */
export const pageLength = 20;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const accounts = (as: string): ListCall['as'] => ({ small: as === largeOwner ? smallOwner : as, large: as });

/** The requests of one account for one list, by the filters and orders that name them. */
const callsOf = <Query extends object>(
  name: string,
  as: string,
  list: (session: Session, query: Query & { limit: number }) => Promise<{ items?: unknown[]; next: unknown }>,
  queries: Record<string, Query>,
): ListCall[] =>
  Object.entries(queries).map(([what, query]) => ({
    name: what === '' ? name : `${name}, ${what}`,
    as: accounts(as),
    isEven: true,
    run: async (session, limit) => (await list(session, { ...query, limit })).items?.length ?? null,
  }));

/** Reads the first part of an export. */
async function beginExport({ url, token }: Session, path: string): Promise<null> {
  const reply = await fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
  const reader = reply.body?.getReader();
  if (!reply.ok || !reader) throw new Error(`${path}: ${reply.status}`);
  await reader.read();
  await reader.cancel();
  return null;
}

const exports = (as: string, pathOf: (session: Session) => string, what: string): ListCall => ({
  name: `export of ${what}, its beginning`,
  as: accounts(as),
  isEven: false,
  run: (session) => beginExport(session, pathOf(session)),
});

const driver = driverEmail(1);
/** The driver of the small table who has delivered to that person: a search that finds nothing reads no packages. */
const driverOfPerson = driverEmail(2);
const person = { q: 'anna schmidt' };
const rareWord = { q: rareName.split(' ').at(-1) ?? '' };

/**
 * The lists of the product with their filters and orders, as those users call them who have most rows. Not here are `atRisk` and `needsPin`, which
 * take forecasts and addresses that were not found, and the lists of routes, which part `routes` has.
 */
export const listCalls: ListCall[] = [
  ...callsOf('all packages', administrator, ({ api }, query) => api.packages.listAll({ query }), {
    '': {},
    'with the count': { count: true },
    processing: { status: 'processing' },
    'in transit': { status: 'in transit' },
    'out for delivery': { status: 'out for delivery' },
    delivered: { status: 'delivered' },
    cancelled: { status: 'cancelled' },
    inactive: { status: 'inactive' },
    failed: { failed: true },
    'failed and waiting': { failed: true, status: 'processing' },
    overdue: { overdue: true },
    'of seven days': { from: daysAgo(7) },
    'until 300 days ago': { to: daysAgo(300) },
    'by last update': { sort: 'lastUpdate' },
    'by last update, latest first': { sort: '-lastUpdate' },
    'by creation': { sort: 'createdAt' },
    'search, rare word': rareWord,
    'search, status': { q: 'delivered' },
    'search, miss': { q: 'zeppelin' },
    'search, postcode': { q: '10115' },
    'search, person': person,
  }),
  ...callsOf('own packages', largeOwner, ({ api, id }, query) => api.packages.listOfUser({ params: { id }, query }), {
    'with the count': { count: true },
    processing: { status: 'processing' },
    active: { status: 'active' },
    delivered: { status: 'delivered' },
    failed: { failed: true },
    overdue: { overdue: true },
    'of seven days': { from: daysAgo(7) },
    'by creation': { sort: 'createdAt' },
    'by last update': { sort: 'lastUpdate' },
    'by last update, latest first': { sort: '-lastUpdate' },
    'by status': { sort: 'status' },
    'by status, in reverse': { sort: '-status' },
    'unfinished by due time': { sort: 'due', status: 'processing,in transit,out for delivery' },
    'search, common word in a status': { q: 'lamp', status: 'processing' },
    // As the screen asks for them.
    'by stage': { byStage: true },
    'by stage, with the count': { byStage: true, count: true },
    'by stage, active': { byStage: true, status: 'active' },
    'by stage, search, rare word': { byStage: true, ...rareWord },
    'by stage, search, common word': { byStage: true, q: 'lamp' },
    'by stage, search, person': { byStage: true, ...person },
  }),
  ...callsOf('own deliveries of an owner', largeOwner, ({ api }, query) => api.deliveries.ofOwner({ query }), {
    '': {},
    'in transit': { status: 'in transit' },
    delivered: { status: 'delivered' },
  }),
  ...callsOf('pending deliveries', driver, ({ api }, query) => api.deliveries.pending({ query }), {
    '': {},
    'by due time': { order: 'due' },
    'with the count': { count: true },
    search: { q: 'lamp' },
  }),
  ...callsOf('available packages', driver, ({ api }, query) => api.deliveries.available({ query }), { '': {} }),
  ...callsOf('a driver’s deliveries', driver, ({ api }, query) => api.deliveries.mine({ query }), {
    '': {},
    stops: { order: 'stops', status: 'in transit' },
  }),
  ...callsOf('a driver’s deliveries', driverOfPerson, ({ api }, query) => api.deliveries.mine({ query }), {
    'search, person': person,
  }),
  ...callsOf('a driver’s completed deliveries', driver, ({ api }, query) => api.deliveries.completed({ query }), {
    '': {},
  }),
  ...callsOf('deliveries in transit', administrator, ({ api }, query) => api.deliveries.pending({ query }), {
    '': { status: 'in transit' },
  }),
  ...callsOf('users', administrator, ({ api }, query) => api.users.list({ query }), {
    '': {},
    search: { q: 'owner 7' },
    drivers: { role: 'driver' },
    'by name': { sort: 'name' },
    'by role': { sort: 'role' },
    'by last sign-in': { sort: '-lastLogin' },
  }),
  ...callsOf('incidents', administrator, ({ api }, query) => api.incidents.list({ query }), { '': {} }),
  ...callsOf('messages', administrator, ({ api }, query) => api.contact.list({ query }), { '': {} }),
  ...callsOf('notifications', largeOwner, ({ api }, query) => api.notifications.list({ query }), { '': {} }),
  ...callsOf('sent notifications', administrator, ({ api }, query) => api.notifications.sent({ query }), { '': {} }),
  ...callsOf('shifts', administrator, ({ api }, query) => api.shifts.list({ query }), { '': {} }),
  ...callsOf('drivers', administrator, ({ api }, query) => api.shifts.drivers({ query }), { '': {} }),
  ...callsOf('audit log', administrator, ({ api }, query) => api.audit.list({ query }), { '': {} }),
  ...callsOf('contact views', administrator, ({ api }, query) => api.audit.contactViews({ query }), { '': {} }),
  ...callsOf('imports', largeOwner, ({ api }, query) => api.packages.imports({ query }), { '': {} }),
  ...callsOf('inventory', administrator, ({ api }, query) => api.inventory.read({ query }), { '': {} }),
  ...callsOf('inventory, packages', administrator, ({ api }, query) => api.inventory.packages({ query }), {
    '': {},
    'at a place': { place: 'berlin', count: true },
    'waiting longest': { status: 'processing' },
  }),
  exports(administrator, () => '/packages/export', 'all packages'),
  exports(administrator, () => '/packages/export?overdue=true', 'overdue packages'),
  exports(largeOwner, ({ id }) => `/packages/user/${id}/export`, 'own packages'),
  exports(administrator, () => '/users/export', 'users'),
  exports(administrator, () => '/inventory/export', 'the inventory'),
];

const month = { from: daysAgo(30).slice(0, 10), to: daysAgo(0).slice(0, 10) };

/** The rows behind each figure, of all time and of a month. */
export const figureRowCalls: ListCall[] = [
  ...presentFigures.map((figure) => ({ figure })),
  ...periodFigures.flatMap((figure) => [{ figure }, { figure, ...month }]),
].map((query) => ({
  name: `rows of ${query.figure}${'from' in query ? ', 30 days' : ''}`,
  as: accounts(administrator),
  isEven: true,
  run: async ({ api }, limit) => (await api.stats.rows({ query: { ...query, limit } })).items.length,
}));
