import { ApiError, messages } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../server/src/testing/test-product.ts';
import { size } from './storm-size.ts';

const rounds = size(4, 200);

let product: TestProduct;
let owner: TestUser;
let drivers: TestUser[];
beforeAll(async () => {
  product = await openTestProduct();
  await product.listen();
  owner = await product.register('owner');
  drivers = [];
  for (let i = 0; i < 50; i++) drivers.push(await product.register('driver'));
});
afterAll(() => product.close());

/** Starts the delivery as all drivers concurrently, over real connections. @returns the response or error of each */
const startAll = (id: string) =>
  Promise.all(
    drivers.map((driver) =>
      product
        .http(driver.token)
        .deliveries.start({ params: { id } })
        .catch((error: unknown) => error),
    ),
  );

test(`of fifty drivers who start one delivery at once exactly one wins, ${rounds} times over`, async () => {
  for (let round = 0; round < rounds; round++) {
    const pkg = await createPackage(owner);
    const answers = await startAll(pkg.id);
    const refused = answers.filter((answer) => answer instanceof ApiError);
    expect(refused).toHaveLength(49);
    expect(new Set(refused.map((error) => `${error.status} ${error.message}`))).toEqual(
      new Set([`409 ${messages.alreadyStarted}`]),
    );
    const [winner] = answers.filter((answer) => !(answer instanceof ApiError)) as { driverId: string }[];
    const now = await owner.api.packages.read({ params: { id: pkg.id } });
    expect(now).toMatchObject({ status: 'in transit', driverId: winner?.driverId, version: 2 });
  }
});

test(`of ten drivers each who start five deliveries at once, with keys, exactly one wins each, ${rounds} times over`, async () => {
  for (let round = 0; round < rounds; round++) {
    const packages = await Promise.all(Array.from({ length: 5 }, () => createPackage(owner)));
    const startEach = () =>
      Promise.all(
        drivers.map((driver, index) =>
          product
            .http(driver.token)
            .deliveries.start({
              params: { id: packages[index % packages.length]?.id ?? '' },
              idempotencyKey: `claim-${round}-${index}`,
            })
            .catch((error: unknown) => error),
        ),
      );
    const answers = await startEach();
    const winners = answers.filter((answer) => !(answer instanceof ApiError)) as { id: string; driverId: string }[];
    expect(winners.map(({ id }) => id).toSorted()).toEqual(packages.map(({ id }) => id).toSorted());
    for (const { id, driverId } of winners)
      expect(await owner.api.packages.read({ params: { id } })).toMatchObject({
        status: 'in transit',
        driverId,
        version: 2,
      });
    // The keys of winners repeat what they were told; nobody wins later.
    const repeated = await startEach();
    const outcomes = (given: unknown[]) =>
      given.map((answer) => (answer instanceof ApiError ? answer.message : answer));
    expect(outcomes(repeated)).toEqual(outcomes(answers));
  }
  const shared = await product.ctx.db.query(
    "select from package_events where status = 'in transit' group by xmin::text having count(distinct package_id) > 1",
  );
  expect(shared.length).toBeGreaterThan(0);
});

test(`an owner's delete never wins together with a driver, ${rounds} times over`, async () => {
  for (let round = 0; round < rounds; round++) {
    const pkg = await createPackage(owner);
    const http = product.http(owner.token);
    const [removal, answers] = await Promise.all([
      http.packages.update({ params: { id: pkg.id }, body: { status: 'inactive' } }).catch((error: unknown) => error),
      startAll(pkg.id),
    ]);
    const won = answers.filter((answer) => !(answer instanceof ApiError)).length;
    const removed = !(removal instanceof ApiError);
    expect(won + Number(removed)).toBe(1);
    const { status } = await owner.api.packages.read({ params: { id: pkg.id } });
    expect(status).toBe(removed ? 'inactive' : 'in transit');
    const refusal = removed ? messages.noLongerAvailable : messages.alreadyStarted;
    for (const answer of answers)
      if (answer instanceof ApiError) expect(answer).toMatchObject({ status: 409, message: refusal });
    if (!removed) expect(removal).toMatchObject({ status: 409, code: 'illegal_step' });
  }
});
