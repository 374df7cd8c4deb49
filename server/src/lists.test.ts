import { maskTrackingId, type ApiError, type Client, type Package, type User } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  createDeadLetter,
  type TestProduct,
  type TestUser,
} from './testing/test-product.ts';

/** The common behaviour of all lists, tested on each. What is specific to a list is tested in its slice. */

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
/** The owner's packages, oldest first. Others exist beside them. */
const made: Package[] = [];

interface Query {
  [name: string]: string | number | boolean | undefined;
}
type List = (query?: Query) => Promise<{
  items: { id: string | number; trackingId?: string | null }[];
  next: string | null;
  total: number | null;
}>;

const listsOfOwner = (api: Client, id: string): Record<string, List> => ({
  'GET /packages/user/:id': (query = {}) => api.packages.listOfUser({ params: { id }, query }),
  'GET /deliveries/owner': (query = {}) => api.deliveries.ofOwner({ query }),
});
const lists = (): Record<string, List> => ({
  ...listsOfOwner(owner.api, owner.id),
  'GET /packages': (query = {}) => admin.api.packages.listAll({ query }),
  'GET /deliveries': (query = {}) => driver.api.deliveries.pending({ query }),
  'GET /packages/available': (query = {}) => driver.api.deliveries.available({ query }),
  'GET /deliveries/driver': (query = {}) => driver.api.deliveries.mine({ query }),
  'GET /deliveries/driver/completed': (query = {}) => driver.api.deliveries.completed({ query }),
  'GET /users': (query = {}) => admin.api.users.list({ query }),
  'GET /incidents': (query = {}) => admin.api.incidents.list({ query }),
  'GET /messages': (query = {}) => admin.api.contact.list({ query }),
  'GET /notifications/sent': (query = {}) => admin.api.notifications.sent({ query }),
});
/** Lists without filters by text and day. */
const plainLists = (): Record<string, List> => ({
  'GET /notifications': (query = {}) => owner.api.notifications.list({ query }),
  'GET /packages/imports': (query = {}) => owner.api.packages.imports({ query }),
  'GET /inventory/packages': (query = {}) => admin.api.inventory.packages({ query }),
  'GET /packages/:id/events': (query = {}) => owner.api.packages.events({ params: { id: made[0]?.id ?? '' }, query }),
});
const names = [
  'GET /packages/user/:id',
  'GET /deliveries/owner',
  'GET /packages',
  'GET /deliveries',
  'GET /packages/available',
  'GET /deliveries/driver',
  'GET /deliveries/driver/completed',
  'GET /users',
  'GET /incidents',
  'GET /messages',
  'GET /notifications/sent',
];
const plainNames = [
  'GET /notifications',
  'GET /packages/imports',
  'GET /inventory/packages',
  'GET /packages/:id/events',
];

beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
  const other = await product.register('owner');
  for (let index = 0; index < 120; index++) {
    time = new Date(time.getTime() + 1);
    made.push(await createPackage(owner, { name: `Parcel ${index}`, recipientName: `Recipient ${index}` }));
    // In the same millisecond as the previous one: their order is undefined but stable.
    if (index % 10 === 0) await createPackage(other, { name: `Stranger ${index}` });
  }
  time = new Date('2026-03-02T10:00:00.000Z');
  for (const pkg of made.slice(0, 9)) await driver.api.deliveries.start({ params: { id: pkg.id } });
  for (const pkg of made.slice(0, 5)) await driver.api.deliveries.complete({ params: { id: pkg.id } });
  for (const pkg of made.slice(0, 3)) {
    await owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: `Wet: ${pkg.name}` } });
    const body = { name: 'Vera Visitor', email: 'vera@example.com', message: `Where is ${pkg.name}?` };
    await product.api().contact.send({ body });
  }
  // Notifications in all states, and no job that still changes them during the tests.
  await eventually('an empty queue', async () => {
    const rows = await product.ctx.db.query("select from jobs.job where state < 'completed' limit 1");
    return rows.length === 0;
  });
  for (const pkg of made.slice(0, 3)) await createDeadLetter(product, pkg.id);
});
afterAll(() => product.close());

const listNamed = (name: string): List => {
  const list = { ...lists(), ...plainLists() }[name];
  if (!list) throw new Error(`no list ${name}`);
  return list;
};

async function allPages(list: List, query: Query): Promise<(string | number)[]> {
  const ids: (string | number)[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list({ ...query, cursor });
    ids.push(...page.items.map(({ id }) => id));
    if (!page.next) return ids;
    cursor = page.next;
  }
}

/** Numeric ids by number, UUIDs by text. */
const newestFirst = (a: string | number, b: string | number) => {
  const [left, right] = /^\d+$/.test(String(a)) ? [Number(a), Number(b)] : [String(a), String(b)];
  return left < right ? 1 : -1;
};

const bad: Query[] = [
  { limit: 0 },
  { limit: 201 },
  { limit: -1 },
  { limit: '1e1' },
  { limit: '' },
  { cursor: 'x' },
  { cursor: '' },
  { count: 'perhaps' },
  { sort: 'price' },
  { Limit: 5 },
];
const badFilters: Query[] = [
  { from: 'yesterday' },
  { from: '2026-02-30' },
  { to: '2026-13-01T00:00:00Z' },
  { to: '2026-03-01T00:00:00' },
  { from: '2026-03-03', to: '2026-03-02' },
  { from: '2026-03-02T10:00:00.001Z', to: '2026-03-02T10:00:00Z' },
  { from: '2026-03-03T00:00:00Z', to: '2026-03-02' },
  { status: 'lost' },
  { status: '' },
  { q: 'x'.repeat(121) },
  { q: 'NUL \u0000' },
];

describe.each([...names, ...plainNames])('%s', (name) => {
  test('answers 422 to an invalid query, naming the parameter', async () => {
    const list = listNamed(name);
    for (const query of [...bad, ...(names.includes(name) ? badFilters : [])]) {
      const outcome = await list(query).then(
        () => 'an answer',
        (error: unknown) => error,
      );
      expect([query, outcome]).toMatchObject([query, { status: 422, code: 'invalid' }]);
      const [field] = Object.keys((outcome as ApiError).fields ?? {});
      expect(Object.keys(query)).toContain(field);
    }
  });

  test('has pages of any size without gaps or duplicates, newest first, and a total count', async () => {
    const list = listNamed(name);
    const whole = await list({ limit: 200, count: true });
    const ids = whole.items.map(({ id }) => id);
    expect(whole.total).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted(newestFirst));
    for (const limit of [1, 7, 50]) expect(await allPages(list, { limit })).toEqual(ids);
    // There is no total without `count`.
    expect((await list({})).total).toBeNull();
  });
});

describe('a search', () => {
  test.each([
    ['an owner', 'GET /packages/user/:id'],
    ['an owner’s deliveries', 'GET /deliveries/owner'],
    ['an administrator', 'GET /packages'],
    ['a driver', 'GET /deliveries'],
  ])('by %s finds a package on page 3 of 120 packages', async (_who, name) => {
    const list = listNamed(name);
    const wanted = made[12]?.id;
    const [first, second] = [await list({}), await list({ cursor: (await list({})).next ?? '' })];
    expect([...first.items, ...second.items].map(({ id }) => id)).not.toContain(wanted);
    const trackingId = made[12]?.trackingId ?? '';
    // A driver sees and finds only the masked tracking ID, which others can have as well.
    const isMasked = name === 'GET /deliveries';
    const ids = isMasked ? [maskTrackingId(trackingId)] : [trackingId, trackingId.slice(4).toLowerCase()];
    const { items } = await list({ limit: 200 });
    for (const q of ['Parcel 12', 'PARCEL 12', ...ids]) {
      const page = await list({ q, count: true });
      // 'Parcel 12' matches one package: there is no Parcel 120.
      const found = items.filter((item) => item.id === wanted || (isMasked && item.trackingId === q));
      expect(found.map(({ id }) => id)).toContain(wanted);
      expect([q, page.items.map(({ id }) => id), page.total]).toEqual([q, found.map(({ id }) => id), found.length]);
    }
  });

  test('counts all matches, not only those on the page', async () => {
    expect(await listNamed('GET /packages/user/:id')({ q: 'Parcel', limit: 5, count: true })).toMatchObject({
      total: 120,
    });
    expect(await listNamed('GET /packages/user/:id')({ q: 'Parcel 1', status: 'processing', limit: 5, count: true }))
      // 10 to 19 and 100 to 119: Parcel 1 is delivered.
      .toMatchObject({ total: 30 });
    expect(
      await listNamed('GET /deliveries/driver')({ q: 'Parcel', status: 'in transit', limit: 1, count: true }),
    ).toMatchObject({ total: 4 });
    expect(await listNamed('GET /packages')({ q: 'stranger', limit: 1, count: true })).toMatchObject({ total: 12 });
  });

  test('by a driver matches the recipient in their own deliveries, but not in pending ones', async () => {
    const search = async (name: string, q: string) => (await listNamed(name)({ q })).items.map(({ id }) => id);
    expect(await search('GET /deliveries/driver', 'recipient 7')).toEqual([made[7]?.id]);
    expect(await search('GET /deliveries/driver', 'Out for Delivery')).toEqual(
      made
        .slice(5, 9)
        .map(({ id }) => id)
        .toReversed(),
    );
    for (const name of ['GET /deliveries', 'GET /packages/available']) {
      expect(await search(name, 'recipient')).toEqual([]);
      expect(await search(name, 'Parcel 99')).toEqual([made[99]?.id]);
      // Packages of another owner, and one in transit.
      expect(await search(name, 'Stranger 10')).toHaveLength(2);
      expect(await search(name, 'Parcel 7')).toEqual(
        made
          .slice(70, 80)
          .map(({ id }) => id)
          .toReversed(),
      );
    }
  });

  test('matches every character literally, in any case and script', async () => {
    const mine = await product.register('owner');
    const odd = [
      '50% off',
      'under_score',
      "O'Neill & Söhne",
      '"quoted"',
      'back\\slash',
      'ÄRGER',
      '灯 lamp',
      'box 📦',
      'İstanbul',
    ];
    for (const name of odd) await createPackage(mine, { name });
    const found = async (q: string) =>
      (await mine.api.packages.listOfUser({ params: { id: mine.id }, query: { q } })).items.map(({ name }) => name);
    expect(await found('%')).toEqual(['50% off']);
    expect(await found('_')).toEqual(['under_score']);
    expect(await found("'")).toEqual(["O'Neill & Söhne"]);
    expect(await found('SÖHNE')).toEqual(["O'Neill & Söhne"]);
    expect(await found('"quoted"')).toEqual(['"quoted"']);
    expect(await found('\\')).toEqual(['back\\slash']);
    expect(await found('ärger')).toEqual(['ÄRGER']);
    expect(await found('灯')).toEqual(['灯 lamp']);
    expect(await found('📦')).toEqual(['box 📦']);
    expect(await found('  lamp  ')).toEqual(['灯 lamp']);
    expect(await found('%%')).toEqual([]);
    expect(await found('processing')).toHaveLength(odd.length);
  });
});

describe('days', () => {
  test('are whole days in UTC, and instants are exact; both ends are inclusive, and each bound works alone', async () => {
    const list = listNamed('GET /packages/user/:id');
    const total = async (query: Query) => (await list({ ...query, count: true, limit: 1 })).total;
    expect(await total({ from: '2026-03-01', to: '2026-03-01' })).toBe(111);
    expect(await total({ from: '2026-03-02' })).toBe(9);
    expect(await total({ to: '2026-03-01' })).toBe(111);
    expect(await total({ from: '2026-03-02T10:00:00Z', to: '2026-03-02T10:00:00.000Z' })).toBe(9);
    expect(await total({ from: '2026-03-02T11:00:00+01:00', to: '2026-03-02' })).toBe(9);
    expect(await total({ from: '2026-03-02T10:00:00.001Z' })).toBe(0);
    expect(await total({ to: '2026-03-01T10:00:00.000Z' })).toBe(0);
  });

  test('filter the lists of drivers and administrators too', async () => {
    expect(await listNamed('GET /deliveries')({ q: 'Parcel', from: '2026-03-02', count: true })).toMatchObject({
      total: 0,
    });
    expect(await listNamed('GET /deliveries/driver')({ from: '2026-03-02', count: true })).toMatchObject({ total: 9 });
    expect(await listNamed('GET /packages')({ to: '2026-03-01', status: 'active', count: true })).toMatchObject({
      total: 123,
    });
  });
});

test('a cursor of an object that does not exist continues from its position', async () => {
  const list = listNamed('GET /packages/user/:id');
  expect((await list({ cursor: uuid({ msecs: 0 }) })).items).toEqual([]);
  expect((await list({ cursor: uuid({ msecs: Date.parse('2027-01-01') }), limit: 200 })).items).toHaveLength(120);
});

describe('a list in another order', () => {
  const due = (pkg: Package) => pkg.window?.to ?? (pkg.eta ? `${pkg.eta}T24` : '9');
  const statuses = ['processing', 'in transit', 'out for delivery', 'delivered', 'cancelled', 'inactive'];
  const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  const keys: Record<string, (pkg: Package) => string> = {
    createdAt: (pkg) => pkg.id,
    lastUpdate: (pkg) => pkg.lastUpdate,
    due,
    name: (pkg) => pkg.name.toLowerCase(),
    recipientName: (pkg) => pkg.recipientName.toLowerCase(),
    status: (pkg) => String(statuses.indexOf(pkg.status)),
  };
  let sorter: TestUser;
  let own: Package[];
  const list = (query: Query = {}) => sorter.api.packages.listOfUser({ params: { id: sorter.id }, query });

  beforeAll(async () => {
    sorter = await product.register('owner');
    time = new Date('2026-03-03T10:00:00.000Z');
    for (let index = 0; index < 24; index++) {
      // Every third one is of the same millisecond as the one before it, and every name is there twice.
      time = new Date(time.getTime() + (index % 3 === 0 ? 0 : 1));
      await createPackage(sorter, {
        name: `${index % 2 ? 'crate' : 'Box'} ${String.fromCharCode(65 + ((index * 7) % 12))}`,
        recipientName: `Recipient ${(index * 5) % 24}`,
        eta: index % 4 === 0 ? null : `2026-0${4 + ((index * 5) % 3)}-01`,
      });
    }
    const { items } = await list();
    time = new Date('2026-03-04T10:00:00.000Z');
    const idOf = (index: number) => ({ id: items[index]?.id ?? '' });
    for (const index of [3, 8, 14]) await driver.api.deliveries.start({ params: idOf(index) });
    await driver.api.deliveries.complete({ params: idOf(8) });
    await sorter.api.packages.update({ params: idOf(5), body: { status: 'cancelled' } });
    await sorter.api.packages.update({ params: idOf(6), body: { status: 'inactive' } });
    own = (await list()).items;
  });

  test.each(Object.keys(keys))('by %s has pages without gaps or duplicates, also with filters', async (field) => {
    const key = keys[field] ?? (() => '');
    for (const query of [
      {},
      { status: 'processing,in transit' },
      { status: 'active', q: 'crate' },
      { from: '2026-03-04' },
    ]) {
      const matches = (await list({ ...query, limit: 200 })).items;
      for (const sort of [field, `-${field}`]) {
        const ids = await allPages(list, { ...query, sort, limit: 5 });
        expect(ids).toHaveLength(matches.length);
        const rows = ids.map((id) => own.find((pkg) => pkg.id === id)).flatMap((pkg) => pkg ?? []);
        const sorted = rows.map(key);
        expect([sort, sorted]).toEqual([
          sort,
          sort === field ? sorted.toSorted(byText) : sorted.toSorted(byText).toReversed(),
        ]);
        expect(new Set(ids)).toEqual(new Set(matches.map(({ id }) => id)));
        // The same as in one page, and with the total.
        const whole = await list({ ...query, sort, limit: 200, count: true });
        expect([whole.items.map(({ id }) => id), whole.total]).toEqual([ids, ids.length]);
      }
    }
  });

  test('continues where it was, although the last row of the page has changed since', async () => {
    for (const [sort, change] of [
      ['lastUpdate', { description: 'Another description' }],
      ['-lastUpdate', { description: 'One more description' }],
      ['name', { name: 'zzz' }],
      ['status', { status: 'cancelled' }],
    ] as const) {
      const before = await allPages(list, { sort, limit: 50, status: 'processing,cancelled' });
      const first = await list({ sort, limit: 6, status: 'processing,cancelled' });
      const last = first.items.at(-1);
      time = new Date(time.getTime() + 60_000);
      await sorter.api.packages.update({ params: { id: last?.id ?? '' }, body: change });
      const rest = await list({ sort, limit: 50, status: 'processing,cancelled', cursor: first.next ?? '' });
      const ids = rest.items.map(({ id }) => id).filter((id) => id !== last?.id);
      expect([sort, ids]).toEqual([sort, before.slice(6)]);
    }
  });

  test('takes no cursor of another order, and none that was made up', async () => {
    const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const next = async (sort?: string) => (await list({ sort, limit: 2 })).next ?? '';
    const id = own[0]?.id;
    for (const [sort, cursor] of [
      ['name', await next('-name')],
      ['name', await next()],
      [undefined, await next('name')],
      ['createdAt', await next('name')],
      ['name', made('name', 'x\0', id)],
      ['name', made('name', '\ud800', id)],
      ['name', made('name', 'x', 'x')],
      ['name', made('name', 1, id)],
      ['name', 'bnVsbA'],
      ['lastUpdate', made('lastUpdate', '2026-02-30 00:00:00+00', id)],
      ['lastUpdate', made('lastUpdate', '2026-02-20 24:00:00+00', id)],
      ['lastUpdate', made('lastUpdate', 'now', id)],
      ['status', made('status', 'lost', id)],
    ])
      await expect(list({ sort, cursor }), `${sort} ${cursor}`).rejects.toMatchObject({
        status: 422,
        fields: { cursor: expect.any(String) as string },
      });
    expect(
      (await list({ sort: 'due', cursor: made('due', 'infinity', uuid({ msecs: 0 })), limit: 2 })).items,
    ).not.toHaveLength(0);
  });

  test('of more than 10,000 packages is refused unless an index serves it', async () => {
    const { db } = product.ctx;
    await db.query("insert into owner_count_changes (owner_id, status, packages) values ($1, 'delivered', 10_001)", [
      sorter.id,
    ]);
    for (const sort of ['name', '-recipientName', 'due'])
      await expect(list({ sort })).rejects.toMatchObject({
        status: 422,
        fields: { sort: expect.stringMatching(/10,000/) as string },
      });
    for (const query of [
      { sort: 'lastUpdate' },
      { sort: 'status' },
      { sort: 'name', q: 'box' },
      { sort: 'due', status: 'processing' },
    ])
      expect((await list(query)).items).not.toHaveLength(0);
    await db.query('delete from owner_count_changes where owner_id = $1 and packages = 10_001', [sorter.id]);
  });

  test('by an administrator: of all packages by their last update, of users by the columns of their table', async () => {
    const all = await allPages((query) => admin.api.packages.listAll({ query }), { sort: '-lastUpdate', limit: 60 });
    const rows = (await admin.api.packages.listAll({ query: { sort: '-lastUpdate', limit: 200 } })).items;
    expect(rows.map(({ lastUpdate }) => lastUpdate)).toEqual(
      rows
        .map(({ lastUpdate }) => lastUpdate)
        .toSorted()
        .toReversed(),
    );
    expect(new Set(all).size).toBe(all.length);
    await expect(admin.api.packages.listAll({ query: { sort: 'name' as never } })).rejects.toMatchObject({
      status: 422,
    });
    for (const [sort, key] of Object.entries<(user: User) => string>({
      name: ({ name }) => name.toLowerCase(),
      email: ({ email }) => email,
      role: ({ role }) => String(['owner', 'driver', 'admin'].indexOf(role)),
      status: ({ status }) => status,
      lastLogin: ({ lastLogin }) => lastLogin ?? '',
      createdAt: ({ id }) => id,
    }))
      for (const descending of [false, true]) {
        const query = { sort: descending ? `-${sort}` : sort };
        const { items } = await admin.api.users.list({ query: { ...query, limit: 200 } });
        const sorted = items.map(key).toSorted(byText);
        expect([sort, items.map(key)]).toEqual([sort, descending ? sorted.toReversed() : sorted]);
        expect(await allPages((page) => admin.api.users.list({ query: { ...page, ...query } }), { limit: 2 })).toEqual(
          items.map(({ id }) => id),
        );
      }
  });
});
