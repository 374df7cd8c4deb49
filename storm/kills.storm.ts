import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type PackageStatus, type SignedIn, type TrackingEvent } from '@waybill/contract';
import { afterAll, expect, test } from 'vitest';
import { findPorts, makeDataDir, startProduct, type RunningProduct } from '../e2e/product.ts';
import { runsLong, size } from './storm-size.ts';

const kills = size(2, 14);
const writers = 6;

const dataDir = makeDataDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

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
    await retry(() => driver.deliveries.complete({ params: { id }, idempotencyKey: complete }));
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
    await retry(() => driver.routes.start({ params, body: {}, idempotencyKey: start }));
    const [delivered = '', ...left] = packageIds;
    const complete = randomUUID();
    await retry(() => driver.deliveries.complete({ params: { id: delivered }, idempotencyKey: complete }));
    await retry(() => driver.routes.finish({ params, body: { returned: left }, idempotencyKey: finish }));
    lived.push({ ...params, delivered, left });
  }
  return lived;
}

/** Two dispatchers move the same waiting packages between two routes, to a third, and back to the depot, while `isRunning`. */
async function moveStops(
  { owner, admin }: Record<'owner' | 'admin', Client>,
  isRunning: () => boolean,
): Promise<{ packageIds: string[]; routeIds: string[] }> {
  const depotId = (await retry(() => admin.depots.list()))[0]?.id ?? '';
  const make = async (count: number, one: (idempotencyKey: string, number: number) => Promise<{ id: string }>) => {
    const ids: string[] = [];
    for (let number = 0; number < count; number++) {
      const idempotencyKey = randomUUID();
      ids.push((await retry(() => one(idempotencyKey, number))).id);
    }
    return ids;
  };
  const packageIds = await make(6, (idempotencyKey, number) =>
    owner.packages.create({ body: bodyOf(`Moved ${number}`), idempotencyKey }),
  );
  const routeIds = await make(3, (idempotencyKey) =>
    admin.routes.create({ body: { day: '2030-01-02', depotId }, idempotencyKey }),
  );
  const pick = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;
  const dispatch = async () => {
    while (isRunning()) {
      const some = packageIds.filter(() => Math.random() < 0.5);
      if (some.length === 0) continue;
      const params = { id: pick(routeIds) };
      const idempotencyKey = randomUUID();
      const to = pick([...routeIds.filter((id) => id !== params.id), null]);
      if (Math.random() < 0.4)
        await retry(() => admin.routes.addStops({ params, body: { packageIds: some }, idempotencyKey }));
      else await retry(() => admin.routes.move({ params, body: { packageIds: some, to }, idempotencyKey }));
    }
  };
  await Promise.all([dispatch(), dispatch()]);
  return { packageIds, routeIds };
}

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
    for (let kill = 0; kill < kills; kill++) {
      const before = acknowledged.length;
      while (acknowledged.length < before + 20) await sleep(20);
      await sleep(Math.random() * 300);
      if (kill % 2 === 0) {
        const gone = product.gone();
        process.kill(product.pid, 'SIGKILL');
        await gone;
        product = await startProduct(settings);
      } else {
        process.kill(postmasterOf(dataDir), 'SIGKILL');
      }
    }
    const last = acknowledged.length;
    while (acknowledged.length < last + 20) await sleep(20);
    isRunning = false;
    await writing;
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
    const { packageIds, routeIds } = await moving;
    const stops: string[] = [];
    for (const id of routeIds)
      stops.push(...(await apis.admin.routes.read({ params: { id } })).stops.map(({ packageId }) => packageId));
    const waiting = await apis.admin.dispatch.select({ body: { packageIds } });
    expect([...stops, ...waiting.packageIds].toSorted()).toEqual(packageIds.toSorted());

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
