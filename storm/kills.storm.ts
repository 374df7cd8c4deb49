import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type PackageStatus, type SignedIn, type TrackingEvent } from '@waybill/contract';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { findPorts, makeDataDir, startProduct, type RunningProduct } from '../e2e/product.ts';
import { runsLong, size } from './storm-size.ts';

const kills = size(3, 18);
/** So many that writes share transactions. */
const writers = 16;

const dataDir = makeDataDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** The acts during which the product, or its database, is killed in turn. */
const acts = ['move', 'start', 'complete'] as const;
const underWay = { move: 0, start: 0, complete: 0 };
/** How long the last one took, in ms. */
const took = { move: 20, start: 20, complete: 20 };

async function during<T>(act: (typeof acts)[number], call: () => Promise<T>): Promise<T> {
  underWay[act]++;
  const begunAt = performance.now();
  try {
    const answer = await call();
    took[act] = performance.now() - begunAt;
    return answer;
  } finally {
    underWay[act]--;
  }
}

/** Retries a call, with jitter and the same idempotency key, until it succeeds: like a phone on a bad network. */
async function retry<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isTemporary =
        error instanceof ApiError && [0, 409, 503].includes(error.status) && error.code !== 'illegal_step';
      if (!isTemporary) throw error;
      await sleep(20 + Math.random() * 60);
    }
  }
}

const bodyOf = (name: string) => ({
  name,
  description: 'Written in a storm',
  category: 'Other' as const,
  weight: 1,
  recipientName: 'Stormy Weather',
  recipientContact: '+49 151 2345678',
});

interface Acknowledged {
  id: string;
  name: string;
  status: PackageStatus;
}

/** Creates, starts and completes packages while `isRunning`, and records the acknowledged statuses. */
async function write(
  owner: Client,
  driver: Client,
  number: number,
  isRunning: () => boolean,
  acknowledged: Acknowledged[],
): Promise<void> {
  for (let turn = 0; isRunning(); turn++) {
    const name = `Package ${number}-${turn}`;
    const [create, start, complete] = [randomUUID(), randomUUID(), randomUUID()];
    const { id } = await retry(() => owner.packages.create({ body: bodyOf(name), idempotencyKey: create }));
    const entry: Acknowledged = { id, name, status: 'processing' };
    acknowledged.push(entry);
    await retry(() => driver.deliveries.start({ params: { id }, idempotencyKey: start }));
    entry.status = 'in transit';
    await retry(() =>
      during('complete', () => driver.deliveries.complete({ params: { id }, idempotencyKey: complete })),
    );
    entry.status = 'delivered';
  }
}

interface LivedRoute {
  id: string;
  delivered: string;
  left: string[];
}

/** Plans, starts and finishes routes of three packages while `isRunning`, the first of which is delivered. */
async function runRoutes(
  { owner, driver, admin }: Record<'owner' | 'driver' | 'admin', Client>,
  driverId: string,
  isRunning: () => boolean,
): Promise<LivedRoute[]> {
  const lived: LivedRoute[] = [];
  const depotId = (await retry(() => admin.depots.list()))[0]?.id ?? '';
  while (isRunning()) {
    const packageIds: string[] = [];
    for (let count = 0; count < 3; count++) {
      const idempotencyKey = randomUUID();
      packageIds.push((await retry(() => owner.packages.create({ body: bodyOf(`Stop ${count}`), idempotencyKey }))).id);
    }
    const [create, add, start, finish] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const body = { day: '2030-01-01', depotId, driverId };
    const params = { id: (await retry(() => admin.routes.create({ body, idempotencyKey: create }))).id };
    await retry(() => admin.routes.addStops({ params, body: { packageIds }, idempotencyKey: add }));
    await retry(() => during('start', () => driver.routes.start({ params, body: {}, idempotencyKey: start })));
    const [delivered = '', ...left] = packageIds;
    const complete = randomUUID();
    await retry(() => driver.deliveries.complete({ params: { id: delivered }, idempotencyKey: complete }));
    await retry(() => driver.routes.finish({ params, body: { returned: left }, idempotencyKey: finish }));
    lived.push({ ...params, delivered, left });
  }
  return lived;
}

interface Moved {
  /** By the two who move the same. */
  packageIds: string[];
  routeIds: string[];
  /** Where the dispatcher who moves alone has left each package: on a route, or at the depot (null). */
  alone: Map<string, string | null>;
}

/**
 * Two dispatchers move the same waiting packages between two routes, to a third, and back to the depot, while `isRunning`. A third one moves
 * packages of its own on the same routes, so that it knows what each answer must be.
 */
async function moveStops(
  { owner, admin }: Record<'owner' | 'admin', Client>,
  isRunning: () => boolean,
): Promise<Moved> {
  const depotId = (await retry(() => admin.depots.list()))[0]?.id ?? '';
  const make = async (count: number, one: (idempotencyKey: string, number: number) => Promise<{ id: string }>) => {
    const ids: string[] = [];
    for (let number = 0; number < count; number++) {
      const idempotencyKey = randomUUID();
      ids.push((await retry(() => one(idempotencyKey, number))).id);
    }
    return ids;
  };
  const makePackages = (count: number) =>
    make(count, (idempotencyKey, number) => owner.packages.create({ body: bodyOf(`Moved ${number}`), idempotencyKey }));
  const packageIds = await makePackages(6);
  const alone = new Map<string, string | null>((await makePackages(3)).map((id) => [id, null]));
  const routeIds = await make(3, (idempotencyKey) =>
    admin.routes.create({ body: { day: '2030-01-02', depotId }, idempotencyKey }),
  );
  const pick = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;
  const add = (id: string, ids: string[]) => {
    const idempotencyKey = randomUUID();
    return retry(() =>
      during('move', () => admin.routes.addStops({ params: { id }, body: { packageIds: ids }, idempotencyKey })),
    );
  };
  const move = (id: string, to: string | null, ids: string[]) => {
    const idempotencyKey = randomUUID();
    return retry(() =>
      during('move', () => admin.routes.move({ params: { id }, body: { packageIds: ids, to }, idempotencyKey })),
    );
  };
  const elsewhere = (id: string) => pick([...routeIds.filter((other) => other !== id), null]);
  const dispatch = async () => {
    while (isRunning()) {
      const some = packageIds.filter(() => Math.random() < 0.5);
      if (some.length === 0) continue;
      const id = pick(routeIds);
      if (Math.random() < 0.4) await add(id, some);
      else await move(id, elsewhere(id), some);
    }
  };
  const dispatchAlone = async () => {
    while (isRunning()) {
      const from = pick([...alone.values()]);
      const some = [...alone].flatMap(([id, place]) => (place === from && Math.random() < 0.7 ? id : []));
      if (some.length === 0) continue;
      const to = from === null ? pick(routeIds) : elsewhere(from);
      const { done } = from === null ? await add(to ?? '', some) : await move(from, to, some);
      expect(done, 'a move was done by half').toEqual(some);
      for (const id of some) alone.set(id, to);
    }
  };
  await Promise.all([dispatch(), dispatch(), dispatchAlone()]);
  return { packageIds, routeIds, alone };
}

/** What half an act leaves behind, as SQL that selects one row for each. Nothing may be found at any moment, also while others write. */
const halves = {
  'packages that the order of their planned route lacks': `
    select p.id from packages p join routes r on r.id = p.route_id
    where r.state = 'planned' and p.status = 'processing' and not p.id = any(r.stop_ids)`,
  'packages in the order of a planned route that are not on it': `
    select p.id from routes r join packages p on p.id = any(r.stop_ids) where r.state = 'planned' and p.route_id is distinct from r.id`,
  'packages in the orders of two planned routes': `
    select stop.id from routes r cross join unnest(r.stop_ids) as stop (id) where r.state = 'planned' group by stop.id having count(*) > 1`,
  'packages on the road with a planned or finished route': `
    select p.id from packages p join routes r on r.id = p.route_id
    where r.state <> 'started' and p.status in ('in transit', 'out for delivery')`,
  'packages that a started route has not started': `
    select p.id from packages p join routes r on r.id = p.route_id where r.state = 'started' and p.status = 'processing'`,
  'routes with another version than they have events': `
    select r.id from routes r where r.version <> (
      select count(*) from account_events e where e.type like 'route.%' and e.changes -> 'route' ->> 0 = r.id::text)`,
  'packages with another status than their last event': `
    select p.id from packages p where p.status <> (
      select e.status from package_events e where e.package_id = p.id and e.status is not null order by e.id desc limit 1)`,
};

/** Looks for halves all the time, as far as there is a database. */
async function watchForHalves(isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    await expectNoHalves().catch((error: unknown) => {
      if (error instanceof Error && error.name === 'AssertionError') throw error;
    });
    await sleep(50);
  }
}

/** Reads the database beside the product. */
async function beside<T>(read: (client: pg.Client) => Promise<T>): Promise<T> {
  const [, , , port, host] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const client = new pg.Client({ host, port: Number(port), user: 'waybill', database: 'waybill' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await read(client);
  } finally {
    await client.end();
  }
}

const expectNoHalves = () =>
  beside(async (client) => {
    const found: Record<string, unknown[]> = {};
    for (const [what, sql] of Object.entries(halves)) {
      const { rows } = await client.query<{ id: string }>(sql);
      if (rows.length > 0) found[what] = rows.map(({ id }) => id);
    }
    expect(found).toEqual({});
  });

const postmasterOf = (folder: string) =>
  Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);

/** All PostgreSQL processes on this data folder. */
const postgresProcesses = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${dataDir}/postgres`);
    } catch {
      return false;
    }
  });

async function readAllPages<T>(page: (cursor?: string) => Promise<{ items: T[]; next: string | null }>): Promise<T[]> {
  const items: T[] = [];
  for (let next: string | null | undefined; next !== null;) {
    const read: { items: T[]; next: string | null } = await page(next);
    items.push(...read.items);
    next = read.next;
  }
  return items;
}

const statusChanges = (events: TrackingEvent[]) => events.filter((event) => event.type.startsWith('delivery.'));

test.runIf(runsLong)(
  `kills (${kills}) under concurrent writes lose, truncate or duplicate no acknowledged write`,
  async () => {
    // The same port at every start, so that the writers can continue.
    const settings = { DATA_DIR: dataDir, PORT: String(await findPorts()) };
    let product: RunningProduct = await startProduct(settings);
    const register = (role: 'owner' | 'driver' | 'admin', at: string = role): Promise<SignedIn> =>
      product
        .api()
        .auth.register({ body: { name: `The ${role}`, email: `${at}@example.com`, password: 'pond-heron-7', role } });
    const [owner, driver] = [await register('owner'), await register('driver')];
    const ownerApi = product.api(owner.token);
    const driverApi = product.api(driver.token);

    const acknowledged: Acknowledged[] = [];
    let isRunning = true;
    // Also after a failure, which leaves the writers behind.
    onTestFinished(() => {
      isRunning = false;
      return product.stop();
    });
    const writing = Promise.all(
      Array.from({ length: writers }, (_, number) => write(ownerApi, driverApi, number, () => isRunning, acknowledged)),
    );
    const [sender, carrier, admin] = [
      await register('owner', 'sender'),
      await register('driver', 'carrier'),
      await register('admin'),
    ];
    const apis = {
      owner: product.api(sender.token),
      driver: product.api(carrier.token),
      admin: product.api(admin.token),
    };
    const onRoutes = runRoutes(apis, carrier.id, () => isRunning);
    const moving = moveStops(apis, () => isRunning);
    const watching = watchForHalves(() => isRunning);
    // What is found ends the test once the writers have stopped.
    watching.catch(() => (isRunning = false));
    for (let kill = 0; kill < kills && isRunning; kill++) {
      const before = acknowledged.length;
      while (isRunning && acknowledged.length < before + 20) await sleep(20);
      await sleep(Math.random() * 300);
      const act = acts[kill % acts.length] ?? 'move';
      while (isRunning && underWay[act] === 0) await sleep(1);
      await sleep(Math.random() * took[act]);
      if (kill % 2 === 0) {
        const gone = product.gone();
        process.kill(product.pid, 'SIGKILL');
        await gone;
        product = await startProduct(settings);
      } else {
        process.kill(postmasterOf(dataDir), 'SIGKILL');
      }
      await retry(() => apis.admin.depots.list());
      await expectNoHalves();
    }
    const last = acknowledged.length;
    while (isRunning && acknowledged.length < last + 20) await sleep(20);
    isRunning = false;
    await watching;
    await writing;
    const shared = await beside((client) =>
      client.query(
        "select from package_events where type = 'package.created' group by xmin::text having count(distinct package_id) > 1",
      ),
    );
    expect(shared.rowCount, 'transactions that several creates shared').toBeGreaterThan(10);
    const routes = await onRoutes;
    expect(routes.length).toBeGreaterThan(0);
    for (const { id, delivered, left } of routes) {
      const { state, stops } = await apis.admin.routes.read({ params: { id } });
      expect([state, stops.map((stop) => [stop.packageId, stop.state])], id).toEqual([
        'finished',
        [[delivered, 'delivered'], ...left.map((one) => [one, 'left'])],
      ]);
    }

    // Each package is a stop of one route, or waits: never both, never neither.
    const { packageIds, routeIds, alone } = await moving;
    await expectNoHalves();
    const stops: [string, string][] = [];
    for (const id of routeIds)
      for (const { packageId } of (await apis.admin.routes.read({ params: { id } })).stops) stops.push([packageId, id]);
    const moved = [...packageIds, ...alone.keys()];
    const waiting = await apis.admin.dispatch.select({ body: { packageIds: moved } });
    expect([...stops.map(([id]) => id), ...waiting.packageIds].toSorted()).toEqual(moved.toSorted());
    const routeOf = new Map(stops);
    for (const [id, place] of alone) expect(routeOf.get(id) ?? null, id).toBe(place);

    const owned = await readAllPages((cursor) =>
      ownerApi.packages.listOfUser({ params: { id: owner.id }, query: { limit: 200, cursor } }),
    );
    const names = owned.map((pkg) => pkg.name);
    expect(new Set(names).size, 'a repeat made a second package').toBe(names.length);
    const byId = new Map(owned.map((pkg) => [pkg.id, pkg]));
    for (const { id, status } of acknowledged) expect(byId.get(id)?.status, id).toBe(status);
    expect(owned).toHaveLength(acknowledged.length);

    let changes = 0;
    for (const pkg of owned) {
      const { items } = await ownerApi.packages.events({ params: { id: pkg.id } });
      // The timeline matches the status, and has each step once.
      expect(items.map((event) => event.type)).toEqual(['delivery.completed', 'delivery.started', 'package.created']);
      expect(items[0]?.status).toBe(pkg.status);
      changes += statusChanges(items).length;
    }

    // Every status change was notified exactly once, also if a worker died while running the job.
    const count = async () => (await ownerApi.notifications.list({ query: { limit: 1, count: true } })).total;
    for (let waited = 0; (await count()) !== changes && waited < 600; waited++) await sleep(100);
    expect(await count()).toBe(changes);

    await product.stop();
    expect(postgresProcesses()).toEqual([]);
  },
);
