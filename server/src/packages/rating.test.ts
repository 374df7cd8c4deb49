import type { ApiError, Package, Rating } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let otherOwner: TestUser;
let driver: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner');
  otherOwner = await product.register('owner');
  driver = await product.register('driver');
});
afterAll(() => product.close());

async function deliver(by = driver, fields: Parameters<typeof createPackage>[1] = {}): Promise<Package> {
  const pkg = await createPackage(owner, fields);
  await by.api.deliveries.start({ params: { id: pkg.id } });
  await by.api.deliveries.complete({ params: { id: pkg.id } });
  return pkg;
}
const rate = (pkg: Package, stars: number, comment?: string, by = owner) =>
  by.api.packages.rate({ params: { id: pkg.id }, body: { stars, ...(comment && { comment }) } });
const read = (pkg: Package) => owner.api.packages.read({ params: { id: pkg.id } });
const driverOf = (pkg: Package) => owner.api.deliveries.driverOfPackage({ params: { id: pkg.id } });
const isRating = (answer: Rating | ApiError): answer is Rating => !(answer instanceof Error);
const ratedEvents = async (pkg: Package) =>
  (await owner.api.packages.events({ params: { id: pkg.id } })).items.filter(({ type }) => type === 'package.rated');

describe('rating a delivery', () => {
  test('is stored with the package and increments its version, but not the time of its last update', async () => {
    const pkg = await deliver();
    const before = await read(pkg);
    expect(before.rating).toBeNull();
    time = new Date('2026-03-02T10:00:00.000Z');
    const rating = await rate(pkg, 4, 'Friendly\nand fast');
    expect(rating).toEqual({ stars: 4, comment: 'Friendly\nand fast', at: '2026-03-02T10:00:00.000Z' });
    expect(await read(pkg)).toEqual({ ...before, rating, version: before.version + 1 });
    expect(await ratedEvents(pkg)).toMatchObject([{ status: 'delivered', note: '4 of 5 stars' }]);
  });

  test('is final: a second one is refused, even an equal one', async () => {
    const pkg = await deliver();
    const rating = await rate(pkg, 5, 'Perfect');
    time = new Date('2026-03-03T10:00:00.000Z');
    for (const again of [() => rate(pkg, 5, 'Perfect'), () => rate(pkg, 1, 'Perfect'), () => rate(pkg, 5)])
      await expect(again()).rejects.toMatchObject({ status: 409, code: 'already_rated' });
    expect((await read(pkg)).rating).toEqual(rating);
    expect(await ratedEvents(pkg)).toHaveLength(1);
  });

  test('is possible only after the delivery, and only for the owner', async () => {
    const pkg = await createPackage(owner);
    await expect(rate(pkg, 5)).rejects.toMatchObject({ status: 409, code: 'not_delivered' });
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    await expect(rate(pkg, 5)).rejects.toMatchObject({ status: 409, code: 'not_delivered' });
    await driver.api.deliveries.complete({ params: { id: pkg.id } });
    await expect(rate(pkg, 5, undefined, otherOwner)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect((await read(pkg)).rating).toBeNull();
  });

  test.each([0, 6, -1, 2.5, '5', null])('refuses %s stars', async (stars) => {
    await expect(rate(await deliver(), stars as number)).rejects.toMatchObject({
      status: 422,
      fields: { stars: expect.stringMatching(/^Stars must be/) as string },
    });
  });

  test('is not shown on the public page', async () => {
    const pkg = await deliver();
    const before = await product.api().tracking.view({ params: { id: pkg.trackingId } });
    await rate(pkg, 1, 'Terrible');
    expect(await product.api().tracking.view({ params: { id: pkg.trackingId } })).toEqual(before);
  });

  test('notifies the driver once', async () => {
    const fresh = await product.register('driver');
    const pkg = await deliver(fresh, { name: 'Blue box' });
    const other = await deliver(fresh, { name: 'Red box' });
    await rate(pkg, 5, 'Friendly');
    await expect(rate(pkg, 5, 'Friendly')).rejects.toMatchObject({ code: 'already_rated' });
    await rate(other, 3);
    const notifications = async () => (await fresh.api.notifications.list()).items;
    await eventually('two notifications', async () => (await notifications()).length >= 2);
    expect(
      new Set((await notifications()).map(({ type, title, body, packageId }) => ({ type, title, body, packageId }))),
    ).toEqual(
      new Set([
        {
          type: 'package.rated',
          title: 'New rating',
          body: 'The delivery of “Blue box” was rated 5 of 5 stars: Friendly.',
          packageId: pkg.id,
        },
        {
          type: 'package.rated',
          title: 'New rating',
          body: 'The delivery of “Red box” was rated 3 of 5 stars.',
          packageId: other.id,
        },
      ]),
    );
  });
});

describe('the driver’s average', () => {
  test('is computed from their own rated deliveries to one decimal, or is null', async () => {
    const [fresh, other] = [await product.register('driver'), await product.register('driver')];
    const pkg = await deliver(fresh);
    expect(await driverOf(pkg)).toMatchObject({ rating: null, totalDeliveries: 1 });
    await rate(pkg, 5);
    await rate(await deliver(other), 1);
    expect(await driverOf(pkg)).toMatchObject({ rating: 5, totalDeliveries: 1 });
    await rate(await deliver(fresh), 4);
    await rate(await deliver(fresh), 4);
    await deliver(fresh);
    expect(await driverOf(pkg)).toMatchObject({ rating: 4.3, totalDeliveries: 4 });
  });

  test('counts a package that failed with one driver for the driver who completed it', async () => {
    const [first, second] = [await product.register('driver'), await product.register('driver')];
    const pkg = await createPackage(owner);
    await first.api.deliveries.start({ params: { id: pkg.id } });
    await first.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'Nobody home' } });
    await second.api.deliveries.start({ params: { id: pkg.id } });
    await second.api.deliveries.complete({ params: { id: pkg.id } });
    await rate(pkg, 2);
    expect(await driverOf(pkg)).toMatchObject({ id: second.id, rating: 2, totalDeliveries: 1 });
    expect(await driverOf(await deliver(first))).toMatchObject({ id: first.id, rating: null, totalDeliveries: 1 });
  });
});

describe('concurrently', () => {
  test.each([1, 2, 3])('of twenty different ratings of one package only one is stored (round %i)', async () => {
    const fresh = await product.register('driver');
    const pkg = await deliver(fresh);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        rate(pkg, 1 + (index % 5), `Number ${index}`).catch((error: ApiError) => error),
      ),
    );
    const [rating, ...more] = answers.filter(isRating);
    expect(more).toEqual([]);
    expect(answers.filter((answer) => !isRating(answer)).map((error) => (error as ApiError).code)).toEqual(
      Array.from({ length: 19 }, () => 'already_rated'),
    );
    expect((await read(pkg)).rating).toEqual(rating);
    expect(await ratedEvents(pkg)).toHaveLength(1);
    expect(await driverOf(pkg)).toMatchObject({ rating: rating?.stars });
  });

  test('twenty repeats with one Idempotency-Key are all answered with the same rating', async () => {
    const pkg = await deliver();
    const call = { params: { id: pkg.id }, body: { stars: 3 }, idempotencyKey: `rating-of-${pkg.id}` };
    const repeat = (): Promise<Rating> =>
      owner.api.packages.rate(call).catch((error: ApiError) => {
        if (error.code === 'still_running') return repeat();
        throw error;
      });
    const answers = await Promise.all(Array.from({ length: 20 }, repeat));
    expect(new Set(answers.map(({ at }) => at)).size).toBe(1);
    expect(await ratedEvents(pkg)).toHaveLength(1);
  });

  test('many packages of one driver are rated, and the average is exact', async () => {
    const fresh = await product.register('driver');
    const pkgs: Package[] = [];
    for (let made = 0; made < 30; made++) pkgs.push(await deliver(fresh));
    const stars = pkgs.map((_, index) => 1 + (((index * index + index) % 7) % 5));
    await Promise.all(pkgs.map((pkg, index) => rate(pkg, stars[index] ?? 0)));
    const sum = stars.reduce((total, one) => total + one, 0);
    const [first] = pkgs;
    if (!first) throw new Error('nothing was delivered');
    expect(await driverOf(first)).toMatchObject({
      rating: Math.round((sum / stars.length) * 10) / 10,
      totalDeliveries: 30,
    });
    const given = await Promise.all(pkgs.map(async (pkg) => (await read(pkg)).rating?.stars));
    expect(given).toEqual(stars);
  });
});
