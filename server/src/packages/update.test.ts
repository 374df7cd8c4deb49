import type { Package, UpdatePackageInput } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purge } from '../privacy/retention.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  packageInput,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

const day = (daysAhead: number) => new Date(Date.now() + daysAhead * 86_400_000).toISOString().slice(0, 10);
const at = (daysAhead: number, hour: number) => `${day(daysAhead)}T${String(hour).padStart(2, '0')}:00:00.000Z`;

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ config: { RETENTION_RECIPIENT_DAYS: '90' } });
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver', 'Maria-Luisa Fahrer');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const update = ({ id }: Pick<Package, 'id'>, body: Partial<UpdatePackageInput>, user = owner) =>
  user.api.packages.update({ params: { id }, body });
const start = ({ id }: Package) => driver.api.deliveries.start({ params: { id } });
const changesOf = async ({ id }: Package) =>
  (await owner.api.packages.events({ params: { id } })).items.map(({ changes }) => changes);
const publicViewOf = ({ trackingId }: Package) => product.api().tracking.view({ params: { id: trackingId } });

test('the history has the old and new values of an edit; the public page shows neither values nor edits of private fields', async () => {
  const pkg = await createPackage(owner, { address: { street: 'Wrong street 1', city: 'Berlin' } });
  await update(pkg, { address: { street: 'Right street 2', city: 'Berlin' }, instructions: 'Ring twice\nthen wait' });
  await update(pkg, { name: 'Floor lamp' });
  expect(await changesOf(pkg)).toEqual([
    { name: { from: 'Desk lamp', to: 'Floor lamp' } },
    {
      address: {
        from: { street: 'Wrong street 1', postalCode: null, city: 'Berlin', country: null },
        to: { street: 'Right street 2', postalCode: null, city: 'Berlin', country: null },
      },
      instructions: { from: null, to: 'Ring twice\nthen wait' },
    },
    null,
  ]);
  const seen = await publicViewOf(pkg);
  expect(seen.events.map(({ type }) => type)).toEqual(['package.updated', 'package.created']);
  expect(JSON.stringify(seen)).not.toMatch(/street|Ring|changes/);
});

test('a stale If-Match is refused and changes nothing; the current one is accepted', async () => {
  const pkg = await createPackage(owner);
  await update(pkg, { name: 'Floor lamp' }, admin);
  const params = { id: pkg.id };
  const send = (version: number) =>
    owner.api.packages.update({
      params,
      body: { description: 'Another one' },
      headers: { 'if-match': `"${version}"` },
    });
  await expect(send(pkg.version)).rejects.toMatchObject({ status: 412, code: 'precondition_failed' });
  expect(await send(pkg.version + 1)).toMatchObject({ name: 'Floor lamp', description: 'Another one' });
});

test('on the road only contact, window and instructions can be changed, after the delivery only what the public page shows', async () => {
  const pkg = await createPackage(owner);
  await start(pkg);
  const window = { from: at(1, 8), to: at(1, 10) };
  const changes = { recipientContact: '+49 30 7654321', window, instructions: 'Ring twice' };
  expect(await update(pkg, changes)).toMatchObject({ ...changes, status: 'in transit' });
  for (const fields of [{ name: 'Floor lamp' }, { address: { street: 'A 1', city: 'B' } }, { eta: day(3) }]) {
    await expect(update(pkg, { ...fields, instructions: 'Ring once' })).rejects.toMatchObject({
      status: 409,
      code: 'illegal_step',
    });
  }
  expect(await update(pkg, { hideRecipient: true, showSender: true })).toMatchObject({ hideRecipient: true });
  await driver.api.deliveries.complete({ params: { id: pkg.id } });
  await expect(update(pkg, { instructions: 'Too late' })).rejects.toMatchObject({ status: 409 });
  expect(await update(pkg, { hideRecipient: false })).toMatchObject({ hideRecipient: false, status: 'delivered' });

  const cancelled = await createPackage(owner);
  await update(cancelled, { status: 'cancelled' });
  expect(await update(cancelled, { hideRecipient: true })).toMatchObject({ hideRecipient: true });
  await update(cancelled, { status: 'inactive' });
  await expect(update(cancelled, { hideRecipient: false })).rejects.toMatchObject({ status: 409 });
});

test('a contact that is an email address or an international number fills in which, unless another is given, and takes it along when it changes', async () => {
  const pkg = await createPackage(owner, { recipientContact: 'Mara@Example.com' });
  expect(pkg).toMatchObject({
    recipientContact: 'Mara@Example.com',
    recipientEmail: 'mara@example.com',
    recipientPhone: null,
  });
  // A client that sends the whole package back, with another contact.
  expect(await update(pkg, { ...(pkg as object), recipientContact: '0049 (30) 765-4321' })).toMatchObject({
    recipientEmail: null,
    recipientPhone: '+49307654321',
  });
  const given = {
    recipientEmail: 'other@example.com',
    recipientPhone: '+4915112345678',
    recipientLanguage: 'fr' as const,
  };
  expect(await update(pkg, given)).toMatchObject(given);
  await start(pkg);
  expect(await update(pkg, { recipientContact: '030 7654321', allowChanges: false })).toMatchObject({
    ...given,
    allowChanges: false,
  });
  // Without a country a number reaches nobody.
  expect(await update(pkg, { recipientPhone: null, recipientEmail: '' })).toMatchObject({
    recipientEmail: null,
    recipientPhone: null,
  });
  for (const wrong of [{ recipientEmail: 'mara' }, { recipientPhone: '0151 2345678' }, { recipientLanguage: 'nl' }])
    await expect(update(pkg, wrong as object)).rejects.toMatchObject({ status: 422 });
});

test('a new window on the road moves the forecast into it in every view, and is a public update', async () => {
  const pkg = await createPackage(owner);
  const { estimatedDeliveryTime: usual } = await start(pkg);
  const window = { from: at(1, 8), to: at(1, 10) };
  expect(await update(pkg, { window })).toMatchObject({ estimatedDeliveryTime: window.from });
  const tracked = await publicViewOf(pkg);
  expect(tracked).toMatchObject({ estimatedDeliveryTime: window.from, events: [{ type: 'package.updated' }, {}, {}] });
  expect(tracked.lastUpdate).toBe(tracked.events[0]?.at);
  const own = await driver.api.deliveries.mine({ query: { status: 'in transit' } });
  expect(own.items.find(({ id }) => id === pkg.id)).toMatchObject({ estimatedDeliveryTime: window.from });
  const rows = await admin.api.stats.rows({ query: { figure: 'inTransitPackages' } });
  expect(rows.items.find(({ packageId }) => packageId === pkg.id)).toMatchObject({
    estimatedDeliveryTime: window.from,
  });
  // Other changes leave the forecast alone. Without a window it is again what it was at the start.
  expect(await update(pkg, { instructions: 'Ring twice' })).toMatchObject({ estimatedDeliveryTime: window.from });
  expect(await update(pkg, { window: null })).toMatchObject({ estimatedDeliveryTime: usual });
});

test('only the assigned driver sees the instructions; changes on the road reach them live and as a notification', async () => {
  const pkg = await createPackage(owner, { instructions: 'The gate code is 4711' });
  const offered = await driver.api.deliveries.pending();
  const available = await driver.api.deliveries.available();
  expect(JSON.stringify([offered.items, available.items])).not.toContain('4711');
  expect(await start(pkg)).toMatchObject({ instructions: 'The gate code is 4711' });
  const live = await watch(product, '/live', driver.token);
  await update(pkg, { instructions: 'The gate code is 1234', hideRecipient: true });
  await eventually('the invalidation', () =>
    live.events.some(({ data }) => JSON.stringify(data) === JSON.stringify({ type: 'delivery', id: pkg.id })),
  );
  const notifications = async () =>
    (await driver.api.notifications.list()).items.filter(({ packageId }) => packageId === pkg.id);
  await eventually('the notification', async () => (await notifications()).length > 0);
  expect(await notifications()).toMatchObject([
    {
      type: 'package.updated',
      title: 'Delivery changed',
      body: 'The owner has changed the instructions of “Desk lamp”.',
    },
  ]);
  live.stop();
  // While the package is on the road, the driver also sees the previous instructions.
  const mine = async () => (await driver.api.deliveries.mine()).items.find(({ id }) => id === pkg.id);
  expect(await mine()).toMatchObject({ instructionsBefore: 'The gate code is 4711' });
  // Drivers are not notified of changes that do not concern them.
  await update(pkg, { showSender: true });
  await update(pkg, { recipientContact: '+49 30 7654321', window: { from: at(1, 8), to: at(1, 10) } });
  await eventually('the second notification', async () => (await notifications()).length > 1);
  expect((await notifications()).map(({ body }) => body)).toEqual([
    'The owner has changed the contact and the preferred time of “Desk lamp”.',
    'The owner has changed the instructions of “Desk lamp”.',
  ]);
});

test('a window after the day of arrival is refused before the start, in whatever zone, and accepted on the road', async () => {
  const eta = day(3);
  const after = { from: at(5, 8), to: at(5, 10) };
  const refused = { status: 422, fields: { 'window.from': 'This day is after the estimated arrival' } };
  await expect(createPackage(owner, { eta, window: after })).rejects.toMatchObject(refused);
  // In the westernmost zones it is still the evening of that day.
  const pkg = await createPackage(owner, { eta, window: { from: at(4, 8), to: at(4, 10) } });
  await expect(update(pkg, { window: after })).rejects.toMatchObject(refused);
  await expect(update(pkg, { eta: day(2) })).rejects.toMatchObject(refused);
  await update(pkg, { name: 'Desk lamp, mended' });
  await start(pkg);
  expect(await update(pkg, { window: after })).toMatchObject({ window: after, eta });
});

test('the tracker names the sender if the owner wants it and, on the road, the driver by first name', async () => {
  const pkg = await createPackage(owner, { hideRecipient: true });
  expect(await publicViewOf(pkg)).toMatchObject({ sender: null, carrier: null, recipientName: null });
  await update(pkg, { showSender: true });
  expect(await publicViewOf(pkg)).toMatchObject({ sender: 'Olga Owner', carrier: null });
  await start(pkg);
  expect(await publicViewOf(pkg)).toMatchObject({ sender: 'Olga Owner', carrier: { firstName: 'Maria-Luisa' } });
  await update(pkg, { showSender: false, hideRecipient: false });
  expect(await publicViewOf(pkg)).toMatchObject({ sender: null, recipientName: 'Anna Maria Berg' });
  await driver.api.deliveries.complete({ params: { id: pkg.id } });
  expect(await publicViewOf(pkg)).toMatchObject({ carrier: null });
  expect(JSON.stringify(await publicViewOf(pkg))).not.toContain('Maria-Luisa');
});

test('past dates are refused in forms and import rows; past dates that an edit leaves unchanged are accepted', async () => {
  const past = { eta: day(-2) };
  const over = { window: { from: at(-2, 8), to: at(-2, 10) } };
  const fields = { eta: 'Estimated arrival must not be in the past' };
  await expect(createPackage(owner, past)).rejects.toMatchObject({ status: 422, fields });
  await expect(createPackage(owner, over)).rejects.toMatchObject({
    status: 422,
    fields: { 'window.to': 'The window is over already' },
  });

  const pkg = await createPackage(owner);
  await expect(update(pkg, past)).rejects.toMatchObject({ status: 422, fields });
  await expect(update(pkg, over)).rejects.toMatchObject({ status: 422 });
  await product.ctx.db.query('update packages set eta = $2, window_from = $3, window_to = $4 where id = $1', [
    pkg.id,
    past.eta,
    over.window.from,
    over.window.to,
  ]);
  const old = await owner.api.packages.read({ params: { id: pkg.id } });
  expect(await update(pkg, { eta: old.eta, window: old.window, name: 'Floor lamp' })).toMatchObject({
    name: 'Floor lamp',
    ...past,
    ...over,
  });

  const rows = ['', past.eta].map(
    (eta) => `Lamp,A lamp for the desk,Furniture,1,Anna Maria Berg,+49 151 2345678,${eta}`,
  );
  const file = ['name,description,category,weight,recipientName,recipientContact,eta', ...rows].join('\n');
  const report = await owner.api.packages.import({ body: file });
  expect(report).toMatchObject({ created: 1, failed: 1, errors: [{ line: 3, fields }] });
});

test('purging a recipient also clears the recorded changes, while the events stay', async () => {
  const pkg = await createPackage(owner, { address: { street: 'Wrong street 1', city: 'Berlin' } });
  await update(pkg, {
    recipientName: 'Berta Berg',
    address: { street: 'Right street 2', city: 'Berlin' },
    instructions: 'Behind the third door',
    weight: 3,
  });
  await start(pkg);
  await driver.api.deliveries.complete({ params: { id: pkg.id } });
  await product.ctx.db.query("update packages set completed_at = now() - interval '91 days' where id = $1", [pkg.id]);
  // A package that is locked at the moment is skipped until the next run.
  const read = () => owner.api.packages.read({ params: { id: pkg.id } });
  await eventually('the recipient is gone', async () => {
    await purge(product.ctx);
    return (await read()).recipientName !== 'Berta Berg';
  });
  const gone = { from: null, to: null };
  const changes = { recipientName: gone, address: gone, instructions: gone, weight: { from: 2.5, to: 3 } };
  expect(await changesOf(pkg)).toContainEqual(changes);
  expect(await read()).toMatchObject({ instructions: null });
});

test('a deleted owner’s name is redacted from recorded changes', async () => {
  const leaving = await product.register('owner', 'Quirin Quillfeather');
  const pkg = await leaving.api.packages.create({ body: packageInput() });
  await update(pkg, { instructions: 'Ask for Quirin Quillfeather' }, leaving);
  await update(pkg, { instructions: 'Ring twice' }, leaving);
  await admin.api.users.remove({ params: { id: leaving.id } });
  const traces = () =>
    product.ctx.db.query(
      `select from package_events where changes::text like '%Quillfeather%' union all
       select from packages where instructions like '%Quillfeather%'`,
    );
  await eventually('the name is redacted', async () => (await traces()).length === 0);
});
