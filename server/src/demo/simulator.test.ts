import { afterAll, expect, test } from 'vitest';
import { signInDemoDrivers } from './accounts.ts';
import { makeDemo } from './demo.ts';
import { emptyTally, simulate, type Simulation } from './simulator.ts';
import { findWrongDerivedData } from '../testing/derived-data.ts';
import { eventually, openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { runsAll } from '../testing/suite.ts';

const products: TestProduct[] = [];
afterAll(async () => {
  for (const product of products) await product.close();
});

async function openListening(config: Record<string, string> = {}): Promise<TestProduct> {
  const product = await openTestProduct({ config, runsJobs: false });
  products.push(product);
  await product.listen();
  return product;
}

/** Runs a simulation until its tally satisfies the condition. */
async function simulateUntil(
  product: TestProduct,
  isReached: (tally: ReturnType<typeof emptyTally>) => boolean,
  overrides: Partial<Simulation> = {},
) {
  const stop = new AbortController();
  const tally = emptyTally();
  const simulation = {
    api: product.http,
    owners: 2,
    drivers: 3,
    packagesPerMinute: 6,
    speed: 500,
    admin: null,
    ...overrides,
    signal: stop.signal,
  };
  const done = simulate(simulation, tally);
  await Promise.race([done, eventually('the simulation to come that far', () => isReached(tally))]);
  stop.abort();
  await done;
  return tally;
}

test('owners create packages and drivers deliver them, alone and on routes, without errors, and the statistics match the tally', async () => {
  const product = await openListening();
  const admin = await product.register('admin');
  const isReached = ({ delivered, routesFinished }: ReturnType<typeof emptyTally>) =>
    delivered >= 10 && routesFinished > 0;
  const tally = await simulateUntil(product, isReached, { admin: { email: admin.email, password: admin.password } });
  expect([...tally.errors]).toEqual([]);
  const routes = (await admin.api.routes.list({ query: { limit: 200 } })).items;
  expect(routes.filter(({ state }) => state === 'finished')).toHaveLength(tally.routesFinished);
  const stats = await admin.api.stats.read();
  expect(stats).toMatchObject({ totalPackages: tally.created, completedDeliveries: tally.delivered });
  expect(stats.today).toMatchObject({ started: tally.started, failed: tally.failed });
  expect(tally.calls.get('complete')).toHaveLength(tally.delivered);
  expect(await findWrongDerivedData(product.connection)).toEqual({});
});

test.runIf(runsAll)(
  'drivers on routes offer stops to each other and fall ill, and others get their stops, without errors',
  async () => {
    const product = await openListening();
    const { email, password, api } = await product.register('admin');
    const isReached = ({ accepted, sick, reassigned }: ReturnType<typeof emptyTally>) =>
      accepted > 0 && sick > 0 && reassigned > 0;
    const simulated = { admin: { email, password }, owners: 6, drivers: 8, packagesPerMinute: 60 };
    const tally = await simulateUntil(product, isReached, simulated);
    expect([...tally.errors]).toEqual([]);
    const stats = await api.stats.read();
    expect(stats).toMatchObject({ completedDeliveries: tally.delivered, today: { started: tally.started } });
  },
);

test.runIf(runsAll)('a rate-limited call is retried after the Retry-After time', async () => {
  const product = await openListening({ RATE_LIMITS: 'create=2/1 claim=10000/1' });
  const tally = await simulateUntil(product, ({ waited, created }) => waited > 0 && created > 2, { owners: 1 });
  expect([...tally.errors]).toEqual([]);
});

test.runIf(runsAll)(
  'without open sign-up the error says what to do, and an administrator can create the accounts',
  async () => {
    const product = await openListening({ DRIVER_SIGNUP: 'approval' });
    await expect(simulateUntil(product, () => false)).rejects.toThrow(
      /driver is not open here \(approval\)\. Give --email/,
    );
    const { email, password } = await product.register('admin');
    const tally = await simulateUntil(product, ({ delivered }) => delivered > 0, { admin: { email, password } });
    expect([...tally.errors]).toEqual([]);
  },
);

test.runIf(runsAll)("the demo's drivers drive their routes of today, at the speed of a town", async () => {
  const product = await openListening();
  const admin = { email: 'admin@demo.example', password: await makeDemo(product.ctx) };
  const rounds = await signInDemoDrivers(product.http, admin);
  expect(rounds).toHaveLength(3);
  const tally = await simulateUntil(product, ({ delivered, failed }) => delivered + failed >= 4, {
    owners: 0,
    drivers: 0,
    admin,
    rounds,
    kmh: 28,
    speed: 2000,
  });
  expect([...tally.errors]).toEqual([]);
  expect(tally.created).toBe(0);
});
