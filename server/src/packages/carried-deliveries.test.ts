import type { DeliveriesInput, Package, PublicView } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let admin: TestUser;
let other: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  admin = await product.register('admin');
  other = await product.register('driver', 'Olga Other');
});
afterAll(() => product.close());

const read = ({ id }: Package) => owner.api.packages.read({ params: { id } });
const lastEvent = async ({ id }: Package) => (await owner.api.packages.events({ params: { id } })).items[0];
const suspend = (driver: TestUser, deliveries?: DeliveriesInput, by = admin) =>
  by.api.users.update({ params: { id: driver.id }, body: { status: 'suspended', deliveries } });
const activate = (driver: TestUser) =>
  admin.api.users.update({ params: { id: driver.id }, body: { status: 'active' } });

const publicViewOf = (pkg: Package) => product.api().tracking.view({ params: { id: pkg.trackingId } });
/** The forecast as shown to the owner (as a package and as a delivery) and to the public. */
async function forecastsOf(pkg: Package) {
  const { items } = await owner.api.deliveries.ofOwner({ query: { limit: 200 } });
  const views = [await read(pkg), items.find(({ id }) => id === pkg.id), await publicViewOf(pkg)];
  return views.map((view) => view?.estimatedDeliveryTime);
}

/** A driver with one delivered package, one that is the next stop and one in transit. */
async function busyDriver() {
  const driver = await product.register('driver');
  const pkgs = [await createPackage(owner), await createPackage(owner), await createPackage(owner)] as const;
  for (const { id } of pkgs) await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.complete({ params: { id: pkgs[0].id } });
  await driver.api.deliveries.next({ params: { id: pkgs[1].id } });
  return { driver, delivered: pkgs[0], carried: [pkgs[1], pkgs[2]] as const };
}

async function notificationOf(user: TestUser, pkg: Package, type: string) {
  let found: { title: string; body: string } | undefined;
  await eventually(`the ${type} notification`, async () => {
    const { items } = await user.api.notifications.list({ query: { limit: 200 } });
    found = items.find((one) => one.type === type && one.packageId === pkg.id);
    return found !== undefined;
  });
  return found;
}

describe('when a driver is suspended', () => {
  test('`release` makes their packages claimable again without counting a failed attempt, and notifies owner and driver', async () => {
    const { driver, delivered, carried } = await busyDriver();
    const before = await admin.api.stats.read({ query: { zone: 'UTC' } });
    await suspend(driver, 'release');

    for (const pkg of carried) {
      expect(await read(pkg)).toMatchObject({ status: 'processing', driverId: null, estimatedDeliveryTime: null });
      expect(await lastEvent(pkg)).toMatchObject({ type: 'delivery.released', status: 'processing' });
    }
    expect(await read(delivered)).toMatchObject({ status: 'delivered', driverId: driver.id });
    const after = await admin.api.stats.read({ query: { zone: 'UTC' } });
    expect(after.inTransitPackages).toBe(before.inTransitPackages - 2);
    expect(after.pendingDeliveries).toBe(before.pendingDeliveries + 2);
    expect(after.today).toEqual(before.today);

    const [pkg] = carried;
    expect(await notificationOf(owner, pkg, 'delivery.released')).toMatchObject({
      title: 'Waiting for another driver',
    });
    await activate(driver);
    expect(await notificationOf(driver, pkg, 'delivery.released')).toMatchObject({ title: 'Delivery taken from you' });
    expect((await product.api().tracking.view({ params: { id: pkg.trackingId } })).events[0]?.type).toBe(
      'delivery.released',
    );
    await other.api.deliveries.start({ params: { id: pkg.id } });
    await other.api.deliveries.complete({ params: { id: pkg.id } });
    expect(await owner.api.deliveries.receipt({ params: { id: pkg.id } })).toMatchObject({ attempts: 1 });
  });

  test('another driver’s id reassigns their packages, and notifies the owner and both drivers', async () => {
    const { driver, carried } = await busyDriver();
    await suspend(driver, { driverId: other.id });
    for (const pkg of carried) expect(await read(pkg)).toMatchObject({ status: 'in transit', driverId: other.id });
    const [pkg] = carried;
    expect(await notificationOf(other, pkg, 'delivery.assigned')).toMatchObject({ title: 'Delivery assigned' });
    expect((await notificationOf(owner, pkg, 'delivery.assigned'))?.body).toContain('another driver');
    await activate(driver);
    expect(await notificationOf(driver, pkg, 'delivery.assigned')).toMatchObject({
      title: 'Delivery given to another driver',
    });
  });

  test('without an instruction their packages stay, and the owner is notified', async () => {
    const { driver, carried } = await busyDriver();
    const before = await admin.api.stats.read({ query: { zone: 'UTC' } });
    await suspend(driver);
    const [pkg] = carried;
    expect(await read(pkg)).toMatchObject({ status: 'out for delivery', driverId: driver.id });
    expect(await notificationOf(owner, pkg, 'delivery.stranded')).toMatchObject({
      title: 'Driver no longer available',
    });
    expect(await owner.api.deliveries.driverOfPackage({ params: { id: pkg.id } })).toMatchObject({
      status: 'unavailable',
    });
    expect((await product.api().tracking.view({ params: { id: pkg.trackingId } })).events[0]?.type).toBe(
      'delivery.next',
    );
    expect(await forecastsOf(pkg)).toEqual([null, null, null]);
    const after = await admin.api.stats.read({ query: { zone: 'UTC' } });
    expect(after.activeDrivers).toBe(before.activeDrivers - 1);
    expect(after.inTransitPackages).toBe(before.inTransitPackages);
    const rows = await admin.api.stats.rows({ query: { figure: 'inTransitPackages', zone: 'UTC', limit: 200 } });
    expect(rows.items.find(({ packageId }) => packageId === pkg.id)).toMatchObject({
      driverStatus: 'suspended',
      estimatedDeliveryTime: null,
    });
  });

  test('there is no forecast until they are active again; then it is restored and the owner is notified', async () => {
    const { driver, carried } = await busyDriver();
    const [pkg] = carried;
    const { estimatedDeliveryTime } = await read(pkg);
    expect(await forecastsOf(pkg)).toEqual(Array(3).fill(estimatedDeliveryTime));
    const tracker = await watch(product, `/track/${pkg.trackingId}/live`);
    const shown = () => (tracker.events.at(-1)?.data as PublicView | undefined)?.estimatedDeliveryTime;
    await eventually('the tracker has the forecast', () => shown() === estimatedDeliveryTime);
    await suspend(driver);
    await eventually('an open tracker shows no forecast', () => shown() === null);
    expect(await forecastsOf(pkg)).toEqual([null, null, null]);
    expect(await read(pkg)).toMatchObject({ location: 'With the driver' });
    await activate(driver);
    await eventually('an open tracker has the forecast again', () => shown() === estimatedDeliveryTime);
    tracker.stop();
    expect(await forecastsOf(pkg)).toEqual(Array(3).fill(estimatedDeliveryTime));
    expect(await notificationOf(owner, pkg, 'delivery.resumed')).toMatchObject({ title: 'Driver available again' });
    expect(await driver.api.deliveries.complete({ params: { id: pkg.id } })).toMatchObject({ estimatedDeliveryTime });
  });

  test('a package reassigned to another driver gets a new forecast', async () => {
    const { driver, carried } = await busyDriver();
    await suspend(driver);
    const [pkg] = carried;
    await admin.api.deliveries.assign({ params: { id: pkg.id }, body: { driverId: other.id } });
    expect(await forecastsOf(pkg)).not.toContain(null);
  });

  test('an inactive or unknown driver is refused as recipient, and nothing changes', async () => {
    const { driver, carried } = await busyDriver();
    const suspended = await product.register('driver');
    await suspend(suspended);
    for (const id of [driver.id, suspended.id, owner.id, crypto.randomUUID()])
      await expect(suspend(driver, { driverId: id })).rejects.toMatchObject({
        status: 422,
        fields: { 'deliveries.driverId': 'This is not an active driver' },
      });
    await expect(suspend(driver, 'lose' as 'keep')).rejects.toMatchObject({
      status: 422,
      fields: { deliveries: 'Must be keep, release or { driverId }' },
    });
    expect(await driver.api.users.me()).toMatchObject({ status: 'active' });
    expect(await read(carried[0])).toMatchObject({ driverId: driver.id });
  });

  test('an administrator without the permission to assign deliveries cannot take any away, but sees how many there are', async () => {
    const { driver, carried } = await busyDriver();
    const { id } = await product.register('admin').then(async (clerk) => {
      await admin.api.users.update({ params: { id: clerk.id }, body: { permissions: ['users.update'] } });
      return clerk;
    });
    const { email } = await admin.api.users.get({ params: { id } });
    const { token } = await product.api().auth.login({ body: { email, password: driver.password } });
    const clerk = { ...admin, api: product.api(token) };
    await expect(suspend(driver, 'release', clerk)).rejects.toMatchObject({ status: 403 });
    expect(await read(carried[0])).toMatchObject({ driverId: driver.id });
    expect(await clerk.api.deliveries.summaryOf({ params: { id: driver.id } })).toMatchObject({ active: 2 });
    expect(await suspend(driver, 'keep', clerk)).toMatchObject({ status: 'suspended' });
  });
});

describe('when a driver is deleted', () => {
  test('the request body decides whether their packages are released or reassigned', async () => {
    const [first, second] = [await busyDriver(), await busyDriver()];
    await admin.api.users.remove({ params: { id: first.driver.id }, body: { deliveries: 'release' } });
    for (const pkg of first.carried) expect(await read(pkg)).toMatchObject({ status: 'processing', driverId: null });
    const body = { deliveries: { driverId: other.id } };
    await admin.api.users.remove({ params: { id: second.driver.id }, body });
    for (const pkg of second.carried) expect(await read(pkg)).toMatchObject({ driverId: other.id });
  });

  test('without an instruction a package stays on the road, and its owner does not read that a carrier is yet to be assigned', async () => {
    const { driver, carried } = await busyDriver();
    await admin.api.users.remove({ params: { id: driver.id } });
    const [pkg] = carried;
    expect(await read(pkg)).toMatchObject({ status: 'out for delivery', estimatedDeliveryTime: null });
    expect(await publicViewOf(pkg)).toMatchObject({ estimatedDeliveryTime: null, carrier: null });
    expect(await notificationOf(owner, pkg, 'delivery.stranded')).toBeDefined();
    await expect(owner.api.deliveries.driverOfPackage({ params: { id: pkg.id } })).rejects.toMatchObject({
      status: 404,
      code: 'no_carrier',
      message: 'The driver of this package is no longer available. An administrator decides who brings it.',
    });
  });
});

describe('a driver whose delivery an administrator takes away', () => {
  test('is notified of a reassignment or a failure, but not of their own actions', async () => {
    const driver = await product.register('driver');
    const [given, failed, own] = [await createPackage(owner), await createPackage(owner), await createPackage(owner)];
    for (const { id } of [given, failed, own]) await driver.api.deliveries.start({ params: { id } });
    await driver.api.deliveries.fail({ params: { id: own.id }, body: { reason: 'Nobody home' } });
    await admin.api.deliveries.assign({ params: { id: given.id }, body: { driverId: other.id } });
    await admin.api.deliveries.fail({ params: { id: failed.id }, body: { reason: 'The van is broken' } });
    expect(await notificationOf(driver, given, 'delivery.assigned')).toMatchObject({
      title: 'Delivery given to another driver',
    });
    expect((await notificationOf(driver, failed, 'delivery.failed'))?.body).toContain('The van is broken');
    const { items } = await driver.api.notifications.list();
    expect(items.filter(({ packageId }) => packageId === own.id)).toEqual([]);
  });
});
