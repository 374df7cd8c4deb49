import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type PackageStatus, type SignedIn, type TrackingEvent } from '@waybill/contract';
import { afterAll, expect, test } from 'vitest';
import { findPorts, makeDataDir, startProduct, type RunningProduct } from '../e2e/product.ts';
import { size } from './storm-size.ts';

const kills = size(2, 14);
const writers = 6;

const dataDir = makeDataDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Asks again, with the same key, until there is an answer: what a phone does on a bad network. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const passes = error instanceof ApiError && [0, 409, 503].includes(error.status) && error.code !== 'illegal_step';
      if (!passes) throw error;
      await sleep(20 + Math.random() * 60);
    }
  }
}

interface Acknowledged {
  id: string;
  name: string;
  status: PackageStatus;
}

/** Registers, starts and completes packages until told to stop, and notes each answer. */
async function write(
  owner: Client,
  driver: Client,
  number: number,
  going: () => boolean,
  acknowledged: Acknowledged[],
): Promise<void> {
  for (let turn = 0; going(); turn++) {
    const name = `Package ${number}-${turn}`;
    const [create, start, complete] = [randomUUID(), randomUUID(), randomUUID()];
    const body = {
      name,
      description: 'Written in a storm',
      category: 'Other' as const,
      weight: 1,
      recipientName: 'Stormy Weather',
      recipientContact: '+49 151 2345678',
    };
    const { id } = await insist(() => owner.packages.create({ body, idempotencyKey: create }));
    const noted: Acknowledged = { id, name, status: 'processing' };
    acknowledged.push(noted);
    await insist(() => driver.deliveries.start({ params: { id }, idempotencyKey: start }));
    noted.status = 'in transit';
    await insist(() => driver.deliveries.complete({ params: { id }, idempotencyKey: complete }));
    noted.status = 'delivered';
  }
}

const postmasterOf = (folder: string) =>
  Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);

/** The PostgreSQL processes of this folder, whoever started them. */
const postgresProcesses = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${dataDir}/postgres`);
    } catch {
      return false;
    }
  });

async function all<T>(page: (cursor?: string) => Promise<{ items: T[]; next: string | null }>): Promise<T[]> {
  const items: T[] = [];
  for (let next: string | null | undefined; next !== null;) {
    const read: { items: T[]; next: string | null } = await page(next);
    items.push(...read.items);
    next = read.next;
  }
  return items;
}

const statusChanges = (events: TrackingEvent[]) => events.filter((event) => event.type.startsWith('delivery.'));

test(`nothing acknowledged is lost, halved or doubled by ${kills} kills in a storm of writes`, async () => {
  // The same port at every start, so that the writers need not be told.
  const settings = { DATA_DIR: dataDir, PORT: String(await findPorts()) };
  let product: RunningProduct = await startProduct(settings);
  const register = (role: 'owner' | 'driver'): Promise<SignedIn> =>
    product
      .api()
      .auth.register({ body: { name: `The ${role}`, email: `${role}@example.com`, password: 'pond-heron-7', role } });
  const [owner, driver] = [await register('owner'), await register('driver')];
  const ownerApi = product.api(owner.token);
  const driverApi = product.api(driver.token);

  const acknowledged: Acknowledged[] = [];
  let going = true;
  const writing = Promise.all(
    Array.from({ length: writers }, (_, number) => write(ownerApi, driverApi, number, () => going, acknowledged)),
  );
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
  going = false;
  await writing;

  const owned = await all((cursor) =>
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
    // The timeline, folded, is the status; each step stands in it once.
    expect(items.map((event) => event.type)).toEqual(['delivery.completed', 'delivery.started', 'package.created']);
    expect(items[0]?.status).toBe(pkg.status);
    changes += statusChanges(items).length;
  }

  // Every change of status was told, once, also where a worker died with the job in its hands.
  const count = async () => (await ownerApi.notifications.list({ query: { limit: 1, count: true } })).total;
  for (let waited = 0; (await count()) !== changes && waited < 600; waited++) await sleep(100);
  expect(await count()).toBe(changes);

  await product.stop();
  expect(postgresProcesses()).toEqual([]);
});
