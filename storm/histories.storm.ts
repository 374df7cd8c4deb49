import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, type Delivery, type PackageStatus } from '@waybill/contract';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Db } from '../server/src/platform/database/db.ts';
import { createPackage, openTestProduct, type TestProduct } from '../server/src/testing/test-product.ts';
import { isLinearizable, type Answer, type Operation, type Step } from './linearizability.ts';
import { size } from './storm-size.ts';

const driverCount = 3;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('start', 'next', 'arrive', 'complete', 'fail'),
    driver: fc.nat(driverCount - 1),
  }) as fc.Arbitrary<Operation>,
  {
    arbitrary: fc.record({
      kind: fc.constantFrom('cancel', 'remove', 'collect', 'reopen', 'read'),
    }) as fc.Arbitrary<Operation>,
    weight: 1,
  },
);
/** Four to six concurrent clients, each with one to four sequential calls as any user. */
const history = fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 6 });

let product: TestProduct | null = null;
afterEach(async () => {
  await product?.close();
  product = null;
});

const statusOf = ({ status, next }: Delivery): PackageStatus => {
  if (status === 'pending') return 'processing';
  return next ? 'out for delivery' : status;
};

interface Callers {
  owner: Client;
  drivers: Client[];
  dispatcher: Client;
}

async function call({ owner, drivers, dispatcher }: Callers, id: string, operation: Operation): Promise<PackageStatus> {
  const params = { id };
  switch (operation.kind) {
    case 'read':
      return (await owner.packages.read({ params })).status;
    case 'cancel':
      return (await owner.packages.update({ params, body: { status: 'cancelled' } })).status;
    case 'remove':
      return (await owner.packages.update({ params, body: { status: 'inactive' } })).status;
    case 'collect':
      return (await dispatcher.deliveries.collected({ params })).status;
    case 'reopen':
      return statusOf(await dispatcher.deliveries.reopen({ params, body: { reason: 'Wrong door' } }));
    default: {
      const api = drivers[operation.driver];
      if (!api) throw new Error(`there is no driver ${operation.driver}`);
      const { deliveries } = api;
      if (operation.kind === 'fail')
        return statusOf(await deliveries.fail({ params, body: { reason: 'Nobody there' } }));
      return statusOf(await deliveries[operation.kind]({ params }));
    }
  }
}

/** @returns a function that runs a generated history over HTTP and records each operation, its answer and both times */
async function openHistories(hasRace: boolean): Promise<(clients: Operation[][]) => Promise<Step[]>> {
  const opened = (product = await openTestProduct());
  await opened.listen();
  const owner = await opened.register('owner');
  const dispatcher = await opened.register('admin');
  const drivers = await Promise.all(Array.from({ length: driverCount }, () => opened.register('driver')));
  if (hasRace) opened.ctx.db = withoutRowLocks(opened.ctx.db);
  const callers = {
    owner: opened.http(owner.token),
    drivers: drivers.map((driver) => opened.http(driver.token)),
    dispatcher: opened.http(dispatcher.token),
  };
  return async (clients) => {
    const { id } = await createPackage(owner);
    const steps: Step[] = [];
    const perform = async (operation: Operation) => {
      const invokedAt = performance.now();
      const answer = await call(callers, id, operation).then(
        (status): Answer => ({ code: 200, status }),
        (error: unknown): Answer => {
          if (error instanceof ApiError) return { code: error.status, status: null };
          throw error;
        },
      );
      steps.push({ operation, answer, invokedAt, answeredAt: performance.now() });
    };
    await Promise.all(
      clients.map(async (operations) => {
        for (const operation of operations) await perform(operation);
      }),
    );
    return steps;
  };
}

const locking = / for update( skip locked)?$/;

/** Introduces a race: `select … for update` no longer locks, and takes 2 ms longer. */
const withoutRowLocks = (db: Db): Db => ({
  ...db,
  transaction: (work) =>
    db.transaction((tx) =>
      work({
        ...tx,
        async query(sql, params) {
          const rows = await tx.query(sql.replace(locking, ''), params);
          if (locking.test(sql)) await sleep(2);
          return rows as never;
        },
      }),
    ),
});

const initial = { status: 'processing', driver: null } as const;

/** Histories of this many packages at the same time, so that their steps share transactions. */
const packagesTogether = 3;

test('every concurrent history of a package is linearizable, also where the steps of several share a transaction', async () => {
  const run = await openHistories(false);
  const histories = fc.array(history, { minLength: packagesTogether, maxLength: packagesTogether });
  await fc.assert(
    fc.asyncProperty(histories, async (ofPackages) => {
      for (const steps of await Promise.all(ofPackages.map(run)))
        expect(isLinearizable(steps, initial), JSON.stringify(steps, null, 1)).toBe(true);
    }),
    { numRuns: size(20, 250), endOnFailure: true },
  );
  const shared = await product?.ctx.db.query(
    'select from package_events group by xmin::text having count(distinct package_id) > 1',
  );
  expect(shared?.length).toBeGreaterThan(0);
});

test('an introduced race is detected', async () => {
  const run = await openHistories(true);
  let found = false;
  await fc.assert(
    fc.asyncProperty(history, async (clients) => {
      found ||= !isLinearizable(await run(clients), initial);
    }),
    { numRuns: 48 },
  );
  expect(found).toBe(true);
});
