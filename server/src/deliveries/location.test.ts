import type { Package } from '@waybill/contract';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listMigrations, migrationFolder } from '../platform/database/migrate.ts';
import {
  createPackage,
  eventually,
  markViewsStale,
  openTestProduct,
  packageInput,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let otherDriver: TestUser;
let admin: TestUser;
let pkg: Package;
let params: { id: string };
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  driver = await product.register('driver');
  otherDriver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const address = { street: 'Rua do Sol 3', postalCode: '8000-001', city: 'Faro', country: 'Portugal' };
const door = 'Rua do Sol 3, 8000-001 Faro, Portugal';
beforeEach(async () => {
  pkg = await createPackage(owner, { location: 'Lisbon hub', address });
  params = { id: pkg.id };
});

const deliveries = () => driver.api.deliveries;
const report = (location: string, by = driver) => by.api.deliveries.reportLocation({ params, body: { location } });
const track = () => product.api().tracking.view({ params: { id: pkg.trackingId } });

/** The package's location, and that of its last event, as every kind of reader sees it. */
async function places() {
  const [own, view, history, all, mine] = await Promise.all([
    owner.api.packages.read({ params }),
    track(),
    owner.api.packages.events({ params }),
    admin.api.inventory.packages({ query: { limit: 200 } }),
    driver.api.deliveries.mine({ query: { limit: 200 } }),
  ]);
  return {
    owner: own.location,
    history: history.items[0]?.location,
    driver: mine.items.find(({ id }) => id === pkg.id)?.location,
    public: view.location,
    publicHistory: view.events[0]?.location,
    inventory: all.items.find(({ id }) => id === pkg.id)?.location,
  };
}
const everywhere = (place: string | null) => ({
  owner: place,
  history: place,
  driver: place,
  public: place,
  publicHistory: place,
  inventory: place,
});

test('the location is that of the registration, then the driver, then what the driver reports, and finally the address', async () => {
  expect(await places()).toEqual({ ...everywhere('Lisbon hub'), driver: undefined });
  await deliveries().start({ params });
  expect(await places()).toEqual(everywhere('With the driver'));
  await deliveries().next({ params });
  expect(await places()).toEqual(everywhere('With the driver'));

  expect(await report('  Motorway services, A2 ')).toMatchObject({ location: 'Motorway services, A2', next: true });
  expect(await places()).toEqual(everywhere('Motorway services, A2'));
  const [event] = (await owner.api.packages.events({ params })).items;
  expect(event).toMatchObject({ type: 'delivery.located', status: 'out for delivery', actor: driver.user.name });
  expect((await track()).events[0]).toMatchObject({ type: 'delivery.located' });

  await deliveries().complete({ params });
  expect(await places()).toEqual({ ...everywhere(door), public: 'Faro', publicHistory: 'Faro', inventory: 'Faro' });
  const receipt = await owner.api.deliveries.receipt({ params });
  expect(receipt.proof.place).toBe(door);
  expect(JSON.stringify(await track())).not.toContain('Sol');
});

test('a package without an address has no location once delivered', async () => {
  pkg = await createPackage(owner, { location: 'Lisbon hub' });
  params = { id: pkg.id };
  await deliveries().start({ params });
  await deliveries().complete({ params });
  expect(await places()).toEqual(everywhere(null));
  expect((await owner.api.deliveries.receipt({ params })).proof.place).toBeNull();
});

test('after a failed attempt the location is the reported one, else the last one', async () => {
  const where = async () => (await owner.api.packages.read({ params })).location;
  await deliveries().start({ params });
  await deliveries().fail({ params, body: { reason: 'Nobody home', location: 'Faro depot' } });
  expect(await where()).toBe('Faro depot');
  expect((await track()).events[0]).toMatchObject({ type: 'delivery.failed', location: 'Faro depot' });
  await deliveries().start({ params });
  expect(await where()).toBe('With the driver');
  // A blank location: the package is still in the van.
  await deliveries().fail({ params, body: { reason: 'Nobody home', location: ' ' } });
  expect(await where()).toBe('With the driver');
  await deliveries().start({ params });
  await report('Locker 5');
  await admin.api.deliveries.fail({ params, body: { reason: 'Driver not available' } });
  expect(await where()).toBe('Locker 5');
  // While it is unclaimed, the owner can set the location.
  await owner.api.packages.update({ params, body: { location: 'Back in Lisbon' } });
  expect(await where()).toBe('Back in Lisbon');
});

test('after a reassignment on the road the location is with the new driver, whatever was reported before', async () => {
  await deliveries().start({ params });
  await report('Locker 5');
  await admin.api.deliveries.assign({ params, body: { driverId: otherDriver.id } });
  expect((await track()).location).toBe('With the driver');
});

test('only the driver of a delivery on the road can report its location', async () => {
  await expect(report('Here')).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
  await deliveries().start({ params });
  await expect(report('Here', otherDriver)).rejects.toMatchObject({ status: 404 });
  await expect(report('Here', owner)).rejects.toMatchObject({ status: 403 });
  await expect(report('   ')).rejects.toMatchObject({ status: 422, fields: { location: 'Location is required' } });
  await expect(report('x'.repeat(201))).rejects.toMatchObject({ status: 422 });
  await deliveries().complete({ params });
  await expect(report('Here')).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
});

test('reporting the same location again records no event', async () => {
  await deliveries().start({ params });
  const first = await report('Here');
  expect(await report('Here')).toEqual(first);
  const { items } = await owner.api.packages.events({ params });
  expect(items.filter(({ type }) => type === 'delivery.located')).toHaveLength(1);
});

test('a reported location is pushed to open trackers and to the owner', async () => {
  await deliveries().start({ params });
  const stream = await watch(product, `/track/${pkg.trackingId}/live`);
  const own = await watch(product, '/live', owner.token);
  await report('Border crossing');
  const received = (events: unknown[], text: string) => events.some((event) => JSON.stringify(event).includes(text));
  await eventually(
    'both have received it',
    () =>
      received(stream.events, '"location":"Border crossing"') &&
      received(own.events, `{"type":"package","id":"${pkg.id}"}`),
  );
  stream.stop();
  own.stop();
});

test('sending the whole package back never makes the address public', async () => {
  await deliveries().start({ params });
  await deliveries().complete({ params });
  const whole = await owner.api.packages.read({ params });
  expect(whole.location).toBe(door);
  expect(await owner.api.packages.update({ params, body: { ...whole } as object })).toMatchObject({ location: door });
  expect((await track()).location).toBe('Faro');
});

test('30 days after the delivery not even the town is public', async () => {
  await deliveries().start({ params });
  await deliveries().complete({ params });
  await product.ctx.db.query(`update packages set completed_at = completed_at - interval '31 days' where id = $1`, [
    pkg.id,
  ]);
  await markViewsStale(product);
  const old = await track();
  expect([old.location, ...old.events.map(({ location }) => location)]).toEqual([null, null, null, null]);
});

test('packages on the road are one place in the inventory, and its count matches its packages', async () => {
  for (let n = 0; n < 2; n++) {
    const one = await owner.api.packages.create({ body: packageInput({ location: `Hub ${n}`, address }) });
    await deliveries().start({ params: { id: one.id } });
  }
  const { places: found } = await admin.api.inventory.read({ query: { q: 'with the driver' } });
  const { total } = await admin.api.inventory.packages({ query: { place: 'with the driver', count: true } });
  expect(found).toMatchObject([{ name: 'With the driver', total }]);
  expect(total).toBeGreaterThanOrEqual(2);
});

test('the migration sets the location of existing packages', async () => {
  await deliveries().start({ params });
  const going = pkg;
  const done = await createPackage(owner, { location: 'Lisbon hub', address });
  await deliveries().start({ params: { id: done.id } });
  await deliveries().complete({ params: { id: done.id } });
  const ids = [going.id, done.id];
  await product.ctx.db.query(`update packages set location = 'Lisbon hub' where id = any($1)`, [ids]);
  await product.ctx.db.query(`update package_events set location = 'Lisbon hub' where package_id = any($1)`, [ids]);
  const name = (await listMigrations()).find((one) => one.endsWith('_locations.sql')) ?? '';
  const migration = await readFile(join(migrationFolder, name), 'utf8');
  // The address was one column then.
  await product.ctx.db.query('alter table packages add column address jsonb');
  await product.ctx.db.query(
    `update packages set address = jsonb_build_object('city', address_city) where id = any($1)`,
    [ids],
  );
  for (const statement of migration.split(';\n').filter(Boolean)) await product.ctx.db.query(statement);
  await markViewsStale(product);
  await product.ctx.db.query('alter table packages drop column address');
  expect((await track()).location).toBe('With the driver');
  pkg = done;
  params = { id: done.id };
  expect(await places()).toEqual({ ...everywhere(door), public: 'Faro', publicHistory: 'Faro', inventory: 'Faro' });
});
