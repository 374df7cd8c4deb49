import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, openTestProduct, watch, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
let driver: TestUser;

beforeAll(async () => {
  product = await openTestProduct({ config: { TIME_ZONE: 'Europe/Berlin' } });
  admin = await product.register('admin');
  driver = await product.register('driver');
});
afterAll(() => product.close());

const list = () => driver.api.depots.list();
const harbour = { name: 'Harbour', timeZone: 'Europe/Berlin' };
const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error);

test('the first start creates one depot of the organisation’s name and zone; a start beside it and one later none', async () => {
  const first = await list();
  expect(first).toEqual([
    {
      id: first[0]?.id,
      name: 'Waybill',
      address: null,
      place: null,
      opensAt: null,
      closesAt: null,
      timeZone: 'Europe/Berlin',
      version: 1,
    },
  ]);
  const beside = await openTestProduct({ beside: product, runsJobs: false });
  await beside.close();
  expect(await list()).toEqual(first);
});

test('a depot is added, changed and deleted: live for everybody, and in the audit log', async () => {
  const watcher = await watch(product, '/live', driver.token);
  const address = { street: 'Am Kai 1', postalCode: '20457', city: 'Hamburg', country: null };
  const body = { ...harbour, address, opensAt: '22:00', closesAt: '06:00' };
  const [made, again] = [
    await admin.api.depots.create({ body, idempotencyKey: 'one-depot' }),
    await admin.api.depots.create({ body, idempotencyKey: 'one-depot' }),
  ];
  expect(again).toEqual(made);
  expect(made).toEqual({ ...body, place: null, id: made.id, version: 1 });
  expect((await list()).map(({ name }) => name)).toEqual(['Harbour', 'Waybill']);
  await eventually('the hint', () =>
    watcher.events.some(({ event, data }) => event === 'hint' && (data as { type: string }).type === 'depot'),
  );
  watcher.stop();
  const params = { id: made.id };
  const changed = await admin.api.depots.update({ params, body: { ...harbour, name: 'North', version: 1 } });
  expect(changed).toEqual({ ...made, name: 'North', version: 2 });
  // What was read can be sent back; null clears.
  const cleared = { ...changed, address: null, opensAt: null, closesAt: null };
  expect(await admin.api.depots.update({ params, body: cleared })).toEqual({ ...cleared, version: 3 });
  await admin.api.depots.remove({ params });
  expect((await list()).map(({ name }) => name)).toEqual(['Waybill']);
  expect(await failureOf(admin.api.depots.remove({ params }))).toMatchObject({ status: 404 });
  expect(await failureOf(admin.api.depots.update({ params, body: harbour }))).toMatchObject({ status: 404 });
  // Its name is free again.
  await admin.api.depots.remove({ params: { id: (await admin.api.depots.create({ body: harbour })).id } });
  const { items } = await admin.api.audit.list({ query: { limit: 4 } });
  expect(items.map(({ act }) => act)).toEqual(['depot.deleted', 'depot.created', 'depot.deleted', 'depot.changed']);
});

test('of two changes of one version the later is refused, and no two depots have the same name', async () => {
  const { id } = await admin.api.depots.create({ body: { ...harbour, name: 'South' } });
  const rename = (name: string) =>
    failureOf(admin.api.depots.update({ params: { id }, body: { ...harbour, name, version: 1 } }));
  const outcomes = await Promise.all([rename('South 1'), rename('South 2')]);
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  expect(outcomes.find((outcome) => outcome !== null)).toMatchObject({ status: 409, code: 'stale' });
  const taken = await failureOf(admin.api.depots.create({ body: { ...harbour, name: 'WAYBILL' } }));
  expect(taken).toMatchObject({
    status: 409,
    code: 'conflict',
    fields: { name: 'There is already a depot of this name' },
  });
  await admin.api.depots.remove({ params: { id } });
});

test('the last depot stays, also when the last two are deleted at once', async () => {
  const { id } = await admin.api.depots.create({ body: harbour });
  const outcomes = await Promise.all(
    (await list()).map((depot) => failureOf(admin.api.depots.remove({ params: { id: depot.id } }))),
  );
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  expect(outcomes.find((outcome) => outcome !== null)).toMatchObject({ status: 409, code: 'conflict' });
  const [left] = await list();
  expect(left?.name).toMatch(/Waybill|Harbour/);
  expect(id).not.toBe('');
});

test.each([{ opensAt: null }, { closesAt: '' }])('hours come together: %j removes both', async (change) => {
  const hours = { opensAt: '08:00', closesAt: '18:00' };
  const { id } = await admin.api.depots.create({
    body: { ...harbour, name: `Harbour ${Object.keys(change)[0]}`, ...hours },
  });
  const { name, timeZone } = harbour;
  const kept = await admin.api.depots.update({ params: { id }, body: { name: `${name} ${id}`, timeZone } });
  expect(kept).toMatchObject(hours);
  const changed = await admin.api.depots.update({
    params: { id },
    body: { name: `${name} ${id}`, timeZone, ...change },
  });
  expect(changed).toMatchObject({ opensAt: null, closesAt: null });
});

test.each([
  [{ name: 'H' }, 'name', 'Name must be at least 2 characters'],
  [{ timeZone: 'Hamburg' }, 'timeZone', 'must be an IANA time zone like Europe/Berlin'],
  [{ opensAt: '25:00', closesAt: '06:00' }, 'opensAt', 'Must be a time like 08:30'],
  [{ opensAt: '08:00' }, 'closesAt', 'Opening and closing time must be given together, and differ'],
  [{ opensAt: '08:00', closesAt: '08:00' }, 'closesAt', 'Opening and closing time must be given together, and differ'],
])('a depot with %j is refused', async (fields, field, message) => {
  const failure = await failureOf(admin.api.depots.create({ body: { ...harbour, ...fields } }));
  expect(failure).toMatchObject({ status: 422, fields: { [field]: message } });
});
