import { connect, type Socket } from 'node:net';
import type { Package } from '@waybill/contract';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { runsAll } from '../testing/suite.ts';

let product: TestProduct;
let url: string;
let owner: TestUser;
let admin: TestUser;
let database: pg.Client;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  url = await product.listen();
  owner = await product.register('owner');
  admin = await product.register('admin');
  database = new pg.Client(product.connection);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await product.close();
});

type Row = Record<string, string>;
const rowsOf = (text: string): Row[] => parse(text, { columns: true, bom: true });
const ownRows = async (user: TestUser, query: Record<string, string> = {}) =>
  rowsOf(await (await user.api.packages.exportOfUser({ params: { id: user.id }, query })).text());

/** The number of exports with an open cursor in the database. */
async function countCursors(): Promise<number> {
  const { rows } = await database.query<{ open: string }>(
    `select count(*) as open from pg_stat_activity
     where datname = current_database() and query ~ 'from batches$|^declare batches' and state <> 'idle'`,
  );
  return Number(rows[0]?.open);
}

/** Inserts `count` packages with equal content for an owner, by SQL. */
async function insertPackages(user: TestUser, count: number): Promise<void> {
  const sample = await createPackage(user);
  await database.query(
    `insert into packages (id, owner_id, tracking_id, name, description, category, weight, recipient_name, recipient_contact, status,
       created_at, updated_at)
     select gen_random_uuid(), owner_id, 'PKG-' || upper(substr(md5($1::text || i), 1, 8)), name, repeat(description, 20), category, weight,
       recipient_name, recipient_contact, status, created_at, updated_at
     from packages, generate_series(2, $2::int) i where id = $1::uuid on conflict do nothing`,
    [sample.id, count],
  );
}

describe('an export', () => {
  test('is a CSV file with a header row, a byte order mark, a file name with the date, and every field of a package', async () => {
    const pkg = await createPackage(owner, {
      name: 'Ärmel; 灯 "quoted", \'half\'',
      description: 'Two lines\nand an emoji 📦',
      dimensions: { width: 10, height: null, length: 0 },
      location: 'Depot',
      eta: '2026-03-05',
      address: { street: 'Hauptstr. 5', city: 'Berlin' },
      window: { from: '2026-03-05T08:00:00+01:00', to: '2026-03-05T12:00:00Z' },
      handling: { fragile: true, safePlace: 'Behind the shed' },
    });
    const response = await owner.api.packages.exportOfUser({ params: { id: owner.id } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="packages-2026-03-01.csv"');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
    const text = new TextDecoder().decode(bytes);
    expect(text).toMatch(/^id,trackingId,reference,name,[\w,]+\r\n/);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(rowsOf(text)).toEqual([
      {
        id: pkg.id,
        trackingId: pkg.trackingId,
        reference: '',
        name: 'Ärmel; 灯 "quoted", \'half\'',
        description: 'Two lines\nand an emoji 📦',
        category: 'Furniture',
        weight: '2.5',
        width: '10',
        height: '',
        length: '0',
        recipientName: 'Anna Maria Berg',
        recipientContact: "'+49 151 2345678",
        recipientEmail: '',
        recipientPhone: "'+491512345678",
        recipientLanguage: '',
        street: 'Hauptstr. 5',
        postalCode: '',
        city: 'Berlin',
        country: '',
        windowFrom: '2026-03-05T07:00:00.000Z',
        windowTo: '2026-03-05T12:00:00.000Z',
        fragile: 'true',
        keepUpright: 'false',
        refrigerated: 'false',
        signatureRequired: 'false',
        pinRequired: 'false',
        ageCheck: '',
        safePlace: 'Behind the shed',
        instructions: '',
        hideRecipient: 'false',
        showSender: 'false',
        allowChanges: 'true',
        status: 'processing',
        location: 'Depot',
        eta: '2026-03-05',
        userId: owner.id,
        driverId: '',
        routeId: '',
        depotId: pkg.depotId ?? '',
        attempts: '0',
        issue: '',
        createdAt: '2026-03-01T10:00:00.000Z',
        startTime: '',
        estimatedDeliveryTime: '',
        completedAt: '',
        lastUpdate: '2026-03-01T10:00:00.000Z',
        receivedBy: '',
        ratingStars: '',
        recipientRatingStars: '',
        recipientRatingComment: '',
        ratingComment: '',
        version: '1',
      },
    ]);
  });

  test.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '＝1+1', '=HYPERLINK("http://evil.example","x")'])(
    'escapes what a spreadsheet would run as a formula: %s',
    async (formula) => {
      const mine = await product.register('owner');
      await createPackage(mine, { name: formula, location: formula, recipientName: formula });
      const [row] = await ownRows(mine);
      expect(row).toMatchObject({ name: `'${formula}`, location: `'${formula}`, recipientName: `'${formula}` });
    },
  );

  test('has the rows of the list with the same filters, in the same order, and no other owner’s', async () => {
    const mine = await product.register('owner');
    const made: Package[] = [];
    for (const [index, name] of ['Red lamp', 'Blue lamp', 'Red chair'].entries()) {
      time = new Date(Date.UTC(2026, 3, index + 1));
      made.push(await createPackage(mine, { name }));
    }
    await mine.api.packages.update({ params: { id: made[0]?.id ?? '' }, body: { status: 'cancelled' } });
    for (const query of [
      {},
      { q: 'lamp' },
      { q: 'RED' },
      { status: 'cancelled' },
      { status: 'active', q: 'red' },
      { from: '2026-04-02', to: '2026-04-03' },
      { q: 'nothing like it' },
    ] as Record<string, string>[]) {
      const listed = await mine.api.packages.listOfUser({ params: { id: mine.id }, query });
      expect((await ownRows(mine, query)).map((row) => row.id)).toEqual(listed.items.map(({ id }) => id));
      const all = rowsOf(await (await admin.api.packages.exportAll({ query })).text()).map((row) => row.id);
      const listedAll = await admin.api.packages.listAll({ query: { ...query, limit: 200 } });
      expect(all).toEqual(listedAll.items.map(({ id }) => id));
    }
  });

  test.each([{ limit: '1' }, { cursor: '01890000-0000-7000-8000-000000000000' }, { status: 'lost' }, { sort: 'name' }])(
    'refuses %j with 422',
    async (query) => {
      await expect(
        owner.api.packages.exportOfUser({ params: { id: owner.id }, query: { ...query } }),
      ).rejects.toMatchObject({ status: 422, code: 'invalid' });
    },
  );

  test('of chosen packages has only those that match and belong to the owner', async () => {
    const mine = await product.register('owner');
    const foreign = await createPackage(owner);
    const [first, , third] = [await createPackage(mine), await createPackage(mine), await createPackage(mine)];
    const exported = async (ids: string[]) => (await ownRows(mine, { ids: ids.join(',') })).map((row) => row.id);
    // In no order: the ids of one millisecond, which is all of this file's time, are random.
    expect(new Set(await exported([first.id, third.id, foreign.id]))).toEqual(new Set([first.id, third.id]));
    const many = (count: number) => Array.from({ length: count }, () => crypto.randomUUID()).join(',');
    expect(await exported(many(100).split(','))).toEqual([]);
    for (const ids of ['', 'x', many(101)])
      await expect(ownRows(mine, { ids })).rejects.toMatchObject({ status: 422, code: 'invalid' });
  });

  test('of accounts is for administrators only, and contains no password hash', async () => {
    const rows = rowsOf(await (await admin.api.users.exportAll({ query: { role: 'admin' } })).text());
    expect(rows.map(({ id, email, role }) => ({ id, email, role }))).toEqual([
      { id: admin.id, email: admin.email, role: 'admin' },
    ]);
    expect(JSON.stringify(rows)).not.toContain('argon2');
  });

  test('of incidents has those that the caller can access', async () => {
    const mine = await product.register('owner');
    const pkg = await createPackage(mine, { name: 'Wet lamp' });
    await mine.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: '=wet()', type: 'Damage' } });
    const exported = async (user: TestUser, query = {}) =>
      rowsOf(await (await user.api.incidents.exportReachable({ query })).text());
    expect(await exported(mine)).toMatchObject([
      { package: pkg.trackingId, type: 'Damage', description: "'=wet()", reporterName: mine.user.name },
    ]);
    expect(await exported(owner)).toEqual([]);
    expect(await exported(admin, { q: 'wet lamp' })).toHaveLength(1);
    expect(await exported(admin, { q: 'wet lamp', status: 'Resolved' })).toEqual([]);
  });

  test('names depot, route and failed attempts; a route that is only planned is for dispatchers', async () => {
    const mine = await product.register('owner');
    const admin = await product.register('admin');
    const pkg = await createPackage(mine);
    const [depot] = await admin.api.depots.list();
    const route = await admin.api.routes.create({ body: { day: '2026-03-05', depotId: depot?.id ?? '' } });
    await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: [pkg.id] } });
    const ids = { query: { ids: pkg.id } };
    const [own] = rowsOf(await (await mine.api.packages.exportOfUser({ params: { id: mine.id }, ...ids })).text());
    const [planned] = rowsOf(await (await admin.api.packages.exportAll(ids)).text());
    expect([own?.['routeId'], own?.['attempts']]).toEqual(['', '0']);
    expect([planned?.['routeId'], planned?.['depotId']]).toEqual([route.id, pkg.depotId ?? '']);
  });

  test('is limited to ten per hour', async () => {
    const limited = await openTestProduct({ beside: product, config: { RATE_LIMITS: 'on' } });
    const api = limited.api(owner.token);
    for (let count = 0; count < 10; count++) await api.packages.exportOfUser({ params: { id: owner.id } });
    const refused = await api.packages.exportOfUser({ params: { id: owner.id } }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect((refused as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(3000);
    await limited.close();
  });
});

describe('a large export', () => {
  const rows = runsAll ? 20_000 : 5000;
  let collector: TestUser;
  beforeAll(async () => {
    collector = await product.register('owner');
    await insertPackages(collector, rows);
  });

  /**
   * A client that reads the head of the response and then pauses, to create backpressure. A busy machine may need longer than the 2 s
   * that an export waits for its connection: then it is refused with 503, and asks again.
   */
  async function startReading(): Promise<{ head: string; socket: Socket }> {
    const { hostname, port } = new URL(url);
    for (;;) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(
        `GET /api/packages/user/${collector.id}/export HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${collector.token}\r\nconnection: close\r\n\r\n`,
      );
      const head = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))));
      socket.pause();
      if (!head.startsWith('HTTP/1.1 503 ')) return { head, socket };
      socket.destroy();
    }
  }

  test('is complete', async () => {
    const response = await product.http(collector.token).packages.exportOfUser({ params: { id: collector.id } });
    const ids = new Set(rowsOf(await response.text()).map((row) => row.id));
    const stored = await product.ctx.db.query('select from packages where owner_id = $1', [collector.id]);
    expect(ids.size).toBe(stored.length);
    expect(ids.size).toBeGreaterThan(rows * 0.99);
  });

  test('a search with more matches than are read first finds those of a status, in the list and in the export', async () => {
    await product.ctx.db.query(
      `insert into package_search select owner_id, id, package_search_text(packages), phone_digits(recipient_contact)
       from packages where owner_id = $1 on conflict do nothing`,
      [collector.id],
    );
    const cancelled = await product.ctx.db.query<{ id: string; name: string }>(
      `update packages set status = 'cancelled' where id in (select id from packages where owner_id = $1 order by tracking_id limit 3)
       returning id, name`,
      [collector.id],
    );
    const ids = cancelled
      .map(({ id }) => id)
      .toSorted()
      .toReversed();
    const params = { id: collector.id };
    for (const q of [cancelled[0]?.name ?? '', 'no such text']) {
      const found = q === 'no such text' ? [] : ids;
      for (const count of [true, undefined]) {
        const { items, total } = await collector.api.packages.listOfUser({
          params,
          query: { q, status: 'cancelled', count },
        });
        expect(items.map(({ id }) => id)).toEqual(found);
        expect(total).toBe(count ? found.length : null);
      }
      const { items } = await admin.api.packages.listAll({ query: { q, status: 'cancelled' } });
      expect(items.filter(({ userId }) => userId === collector.id).map(({ id }) => id)).toEqual(found);
      expect((await ownRows(collector, { q, status: 'cancelled' })).map(({ id }) => id)).toEqual(found);
    }
  });

  test('is streamed with backpressure: starts before the query ends, waits for a slow client, and is cancelled when the client disconnects', async () => {
    const { head, socket } = await startReading();
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    // If all rows were buffered in advance, the query would have ended.
    await eventually('the query is paused', async () => (await countCursors()) === 1);
    const idle = async () =>
      (
        await database.query<{ state: string }>(
          `select state from pg_stat_activity where datname = current_database() and query ~ 'from batches$'`,
        )
      ).rows.some(({ state }) => state === 'idle in transaction');
    await eventually('no batch is fetched ahead', idle);
    socket.destroy();
    await eventually('the connection is free again', async () => (await countCursors()) === 0);
  });

  test('that fails midway does not look complete', async () => {
    const { head, socket } = await startReading();
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~ 'from batches$'`,
    );
    const chunks: Buffer[] = [];
    socket.on('data', (bytes) => chunks.push(bytes));
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    const text = Buffer.concat(chunks).toString('latin1');
    expect(text.endsWith('\r\n0\r\n\r\n')).toBe(false);
  });

  test.runIf(runsAll)('is refused with 503 and Retry-After while the maximum number is running', async () => {
    const readers = [];
    for (let count = 0; count < 4; count++) readers.push(await startReading());
    await expect(
      product.http(collector.token).packages.exportOfUser({ params: { id: collector.id } }),
    ).rejects.toMatchObject({ status: 503, code: 'unavailable', retryAfterSeconds: 1 });
    for (const { socket } of readers) socket.destroy();
    await eventually('all connections are free again', async () => (await countCursors()) === 0);
  });
});
