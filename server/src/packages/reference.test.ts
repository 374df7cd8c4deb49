import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  openTestProduct,
  packageInput,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { leaveKeysToDirectories } from './distributed-keys.ts';

let product: TestProduct;
let owner: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
});
afterAll(() => product.close());

const update = (id: string, body: object) => owner.api.packages.update({ params: { id }, body });
const taken = {
  status: 409,
  code: 'reference_taken',
  fields: { reference: 'This reference is already in use' },
};

test('a reference is the owner’s own number for a package: trimmed, at most 64 characters, null if blank', async () => {
  expect(await createPackage(owner, { reference: '  #2001 ' })).toMatchObject({ reference: '#2001' });
  expect(await createPackage(owner, { reference: ' ' })).toMatchObject({ reference: null });
  expect(await createPackage(owner, { reference: null })).toMatchObject({ reference: null });
  expect(await createPackage(owner, { reference: 'x'.repeat(64) })).toMatchObject({ reference: 'x'.repeat(64) });
  await expect(createPackage(owner, { reference: 'x'.repeat(65) })).rejects.toMatchObject({
    status: 422,
    fields: { reference: 'Reference must be at most 64 characters' },
  });
  const text = await (await owner.api.packages.exportOfUser({ params: { id: owner.id } })).text();
  expect(text.split('\r\n')[0]).toContain('trackingId,reference,name');
  expect(text).toContain('"#2001"');
});

test('a reference is unique per owner, for new and changed packages; another owner may use it', async () => {
  const first = await createPackage(owner, { reference: '#2002' });
  const second = await createPackage(owner, { reference: '#2003' });
  await expect(createPackage(owner, { reference: '#2002' })).rejects.toMatchObject(taken);
  await expect(update(second.id, { reference: '#2002' })).rejects.toMatchObject(taken);
  expect(await owner.api.packages.read({ params: { id: second.id } })).toEqual(second);
  expect(await update(first.id, { ...first, name: 'Another lamp' })).toMatchObject({ reference: '#2002', version: 2 });
  expect(await update(second.id, { reference: '#2004' })).toMatchObject({ reference: '#2004' });
  expect(await createPackage(owner, { reference: '#2003' })).toMatchObject({ reference: '#2003' });
  expect(await createPackage(await product.register('owner'), { reference: '#2002' })).toMatchObject({
    reference: '#2002',
  });
});

test('a taken tracking ID is reported as such, whatever the reference', async () => {
  const { trackingId } = await createPackage(owner);
  await expect(createPackage(owner, { trackingId, reference: '#2005' })).rejects.toMatchObject({
    code: 'tracking_id_taken',
  });
});

test.each(['cancelled', 'inactive'] as const)('a package that is %s frees its reference', async (status) => {
  const reference = `#2006 ${status}`;
  const pkg = await createPackage(owner, { reference });
  await update(pkg.id, { status });
  expect(await createPackage(owner, { reference })).toMatchObject({ reference });
  expect(await owner.api.packages.read({ params: { id: pkg.id } })).toMatchObject({ reference, status });
});

test('of concurrent requests for one reference exactly one succeeds', async () => {
  const creating = await Promise.allSettled(
    Array.from({ length: 8 }, () => createPackage(owner, { reference: '#2007' })),
  );
  const others = await Promise.all(Array.from({ length: 4 }, () => createPackage(owner)));
  const changing = await Promise.allSettled(others.map(({ id }) => update(id, { reference: '#2008' })));
  for (const answers of [creating, changing]) {
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(taken);
  }
});

test('the driver sees the reference after the start, and the public page never does', async () => {
  const driver = await product.register('driver');
  const { id, trackingId } = await createPackage(owner, { reference: '#2009' });
  const { items } = await driver.api.deliveries.pending();
  expect(items.find((delivery) => delivery.id === id)).toMatchObject({ reference: null });
  expect(await driver.api.deliveries.start({ params: { id } })).toMatchObject({ reference: '#2009' });
  expect(JSON.stringify(await product.api().tracking.view({ params: { id: trackingId } }))).not.toContain('#2009');
  await expect(update(id, { reference: '#2010' })).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
});

test('the directory is filled in steps with the references that are in use', async () => {
  const inUse = `select owner_id, reference, id from packages
    where reference is not null and status not in ('cancelled', 'inactive') order by 1, 2`;
  const { query, transaction } = product.ctx.db;
  const expected = (await query<{ id: string }>(inUse)).map(({ id }) => id);
  expect(expected.length).toBeGreaterThan(3);
  const step = await readFile(new URL('../../migrations/0217_package_references_added.sql', import.meta.url), 'utf8');
  await transaction(async (tx) => {
    await tx.query('delete from package_references');
    await tx.query(
      'create temporary table package_references_added on commit drop as select $$00000000-0000-0000-0000-000000000000$$::uuid as up_to',
    );
    for (let steps = 0; steps < 20; steps++) await tx.query(step.replace('limit 5000', 'limit 12'));
  });
  const filled = await query<{ id: string }>(
    'select package_id as id from package_references order by owner_id, reference',
  );
  expect(filled.map(({ id }) => id)).toEqual(expected);
});

// As where packages are distributed by their id. The last test of the file: it changes the schema.
test('without unique indexes on packages the directories keep tracking IDs and references unique, each caller with its own answer', async () => {
  for (const statement of leaveKeysToDirectories) await product.ctx.db.query(statement);
  const { id, trackingId } = await createPackage(owner, { reference: '#3001' });
  const trackingTaken = { status: 409, code: 'tracking_id_taken' };
  await expect(createPackage(owner, { reference: '#3001' })).rejects.toMatchObject(taken);
  await expect(createPackage(owner, { trackingId })).rejects.toMatchObject(trackingTaken);
  const other = await createPackage(owner, { reference: '#3002' });
  await expect(update(other.id, { reference: '#3001' })).rejects.toMatchObject(taken);

  const wanted = [
    ...Array.from({ length: 4 }, () => ({ reference: '#3003' })),
    ...Array.from({ length: 4 }, () => ({ trackingId: 'PKG-TWICE003' })),
    ...Array.from({ length: 4 }, (_, n) => ({ reference: `#31${n}` })),
  ];
  const answers = await Promise.allSettled(wanted.map((input) => createPackage(owner, input)));
  const refused = (from: number, to: number) =>
    answers.slice(from, to).flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  expect(refused(0, 4)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(taken)));
  expect(refused(4, 8)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(trackingTaken)));
  expect(refused(8, 12)).toEqual([]);

  const row = (name: string, reference: string, tracking = '') =>
    `${name},A lamp for the desk,Other,1,Anna Berg,+49 170 1234,${reference},${tracking}`;
  const file = [
    'name,description,category,weight,recipientName,recipientContact,reference,trackingId',
    row('New', '#3004'),
    row('Known', '#3001'),
    row('Taken', '', trackingId),
    row('Also new', ''),
  ].join('\n');
  const report = await owner.api.packages.import({ body: file });
  expect(report).toMatchObject({
    total: 4,
    created: 2,
    failed: 1,
    skipped: 1,
    errors: [{ line: 4 }],
    skippedRows: [{ line: 3 }],
  });

  await update(id, { status: 'cancelled' });
  expect(await createPackage(owner, { reference: '#3001' })).toMatchObject({ reference: '#3001' });
  expect(await owner.api.packages.create({ body: packageInput() })).toMatchObject({ reference: null });
  const twice = await product.ctx.db.query(
    `select tracking_id from packages group by 1 having count(*) > 1 union all
     select reference from packages where status not in ('cancelled', 'inactive') and reference is not null group by owner_id, reference having count(*) > 1`,
  );
  expect(twice).toEqual([]);
});
