import type { Import, ImportPreview, Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { matchRows } from './import-duplicates.ts';

let product: TestProduct;
let driver: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  driver = await product.register('driver');
});
afterAll(() => product.close());

const header = 'reference,name,description,category,weight,recipientName,recipientContact,street,postalCode,city';
const row = (reference: string, name: string, street = 'Hafenstr. 5') =>
  `${reference},${name},A lamp for the desk in two parts,Furniture,2.5,Anna Berg,+49 151 2345678,${street},20457,Hamburg`;
const file = (...rows: string[]) => [header, ...rows].join('\n');
const send = (user: TestUser, body: string): Promise<Import> => user.api.packages.import({ body });
const preview = (user: TestUser, body: string): Promise<ImportPreview> => user.api.packages.previewImport({ body });
const packagesOf = async (user: TestUser): Promise<Package[]> =>
  (await user.api.packages.listOfUser({ params: { id: user.id }, query: { limit: 200 } })).items;
const named = async (user: TestUser, name: string) => {
  const pkg = (await packagesOf(user)).find((one) => one.name === name);
  if (!pkg) throw new Error(`no package ${name}`);
  return { pkg, change: (body: object) => user.api.packages.update({ params: { id: pkg.id }, body }) };
};

test('200 rows with 80 invalid ones, corrected and sent again, create 200 packages; the preview counts what the import creates', async () => {
  const mine = await product.register('owner');
  const rows = (faulty: number) =>
    file(...Array.from({ length: 200 }, (_, index) => row('', index < faulty ? 'Ox' : `Lamp ${index}`)));
  expect(await preview(mine, rows(80))).toMatchObject({ total: 200, created: 120, failed: 80, skipped: 0 });
  expect(await packagesOf(mine)).toEqual([]);
  expect(await send(mine, rows(80))).toMatchObject({ created: 120, failed: 80, skipped: 0 });
  const seen = await preview(mine, rows(80));
  expect(seen).toMatchObject({ created: 0, failed: 80, skipped: 120 });
  expect(seen.errors[0]).toMatchObject({
    line: 2,
    fields: { name: 'Name must be at least 3 characters' },
    cells: { name: 'Ox', weight: '2.5', street: 'Hafenstr. 5' },
  });
  // The invalid rows alone, as the page sends them once they are corrected.
  const columns = Object.keys(seen.errors[0]?.cells ?? {}) as (keyof (typeof seen.errors)[0]['cells'])[];
  const corrected = seen.errors.map(({ line, cells }) =>
    columns.map((name) => (name === 'name' ? `Lamp ${line - 2}` : cells[name])),
  );
  expect(await send(mine, [columns, ...corrected].join('\n'))).toMatchObject({ created: 80, failed: 0, skipped: 0 });
  // And the whole corrected file: nothing is new.
  expect(await send(mine, rows(0))).toMatchObject({ created: 0, failed: 0, skipped: 200 });
  expect(new Set((await packagesOf(mine)).map(({ name }) => name)).size).toBe(200);
});

test('a row with a reference is matched by it alone, and the report gives that reason', async () => {
  const mine = await product.register('owner');
  await createPackage(mine, { reference: '#1' });
  const report = await send(
    mine,
    file(row('#1', 'Another lamp'), row('#2', 'Lamp'), row('#2', 'Shade'), row('#3', 'Lamp')),
  );
  expect(report).toMatchObject({ created: 2, failed: 0, skipped: 2 });
  expect(report.skippedRows).toEqual([
    { line: 2, reason: 'Reference #1 is there already', unshipped: false },
    { line: 4, reason: 'Reference #2 is in this file already', unshipped: false },
  ]);
  await (await named(mine, 'Lamp')).change({ status: 'cancelled' });
  expect(await send(mine, file(row('#1', 'Lamp'), row('#2', 'Lamp'), row('#3', 'Lamp')))).toMatchObject({ created: 1 });
});

test('the n-th equal row matches the n-th package with that content that is neither cancelled nor deleted', async () => {
  const mine = await product.register('owner');
  const lamps = (count: number) => file(...Array.from({ length: count }, () => row('', 'Lamp')));
  expect(await send(mine, lamps(2))).toMatchObject({ created: 2, skipped: 0 });
  expect(await send(mine, lamps(3))).toMatchObject({ created: 1, skipped: 2 });
  for (const status of ['cancelled', 'inactive']) await (await named(mine, 'Lamp')).change({ status });
  const live = (await packagesOf(mine)).filter(({ status }) => status === 'processing');
  expect(await send(mine, lamps(3))).toMatchObject({ created: 3 - live.length, skipped: live.length });
});

test('equal rows and packages are matched across the batches that a file is looked up in', async () => {
  const mine = await product.register('owner');
  const lamps = (count: number) => file(...Array.from({ length: count }, () => row('', 'Lamp')));
  expect(await send(mine, lamps(510))).toMatchObject({ created: 510, skipped: 0 });
  const rows = [row('#510', 'Chair'), ...Array.from({ length: 515 }, () => row('', 'Lamp')), row('#510', 'Chair')];
  const report = await send(mine, file(...rows));
  expect(report).toMatchObject({ total: 517, created: 6, skipped: 511, failed: 0 });
  expect(report.skippedRows.at(-1)).toMatchObject({ line: 518, reason: 'Reference #510 is in this file already' });
});

test.each([
  ['name', { name: 'Another' }],
  ['description', { description: 'Another description' }],
  ['category', { category: 'Books' }],
  ['weight', { weight: 2.501 }],
  ['dimensions', { dimensions: { width: 1 } }],
  ['recipientName', { recipientName: 'Anna Bergs' }],
  ['recipientContact', { recipientContact: '+49 151 2345679' }],
  ['location', { location: 'Depot' }],
  ['eta', { eta: '2030-01-31' }],
  ['address', { address: { street: 'Hafenstr. 6', postalCode: '20457', city: 'Hamburg' } }],
  ['window', { window: { from: '2030-01-31T08:00:00Z', to: '2030-01-31T12:00:00Z' } }],
  ['handling', { handling: { fragile: true } }],
  ['hideRecipient', { hideRecipient: true }],
  ['reference', { reference: '#9' }],
  ['instructions', { instructions: 'Ring twice' }],
  ['showSender', { showSender: true }],
])('a package that differs only in its %s is not a duplicate', async (_field, more) => {
  const mine = await product.register('owner');
  const same = {
    name: 'Lamp',
    description: 'A lamp for the desk in two parts',
    recipientName: 'Anna Berg',
    address: { street: 'Hafenstr. 5', postalCode: '20457', city: 'Hamburg' },
  };
  await createPackage(mine, { ...same, ...(more as object) });
  expect(await preview(mine, file(row('', 'Lamp')))).toMatchObject({ created: 1, skipped: 0 });
  await createPackage(mine, same);
  expect(await preview(mine, file(row('', 'Lamp')))).toMatchObject({ created: 0, skipped: 1 });
});

test('a package that was edited or started since still matches the row that it was created from, and a row with its current content', async () => {
  const mine = await product.register('owner');
  const wrong = file(row('', 'Lamp', 'Wrong street 1'), row('', 'Chair'));
  await send(mine, wrong);
  const { pkg, change } = await named(mine, 'Lamp');
  await change({ address: { street: 'Right street 1', postalCode: '20457', city: 'Hamburg' } });
  await change({ name: 'Brass lamp' });
  await change({ instructions: 'Ring twice', showSender: true });
  const chair = (await named(mine, 'Chair')).pkg;
  await driver.api.deliveries.start({ params: { id: chair.id } });
  expect(await send(mine, wrong)).toMatchObject({ created: 0, skipped: 2 });
  const whole = (...rows: string[]) => [`${header},instructions,showSender`, ...rows].join('\n');
  const brass = `${row('', 'Brass lamp', 'Right street 1')},Ring twice,true`;
  expect(await send(mine, whole(brass, row('', 'Chair')))).toMatchObject({ created: 0, skipped: 2 });
  // A package matches one row at most.
  expect(await preview(mine, whole(row('', 'Lamp', 'Wrong street 1'), brass))).toMatchObject({
    created: 1,
    skipped: 1,
  });
  expect((await mine.api.packages.read({ params: { id: pkg.id } })).name).toBe('Brass lamp');
});

test('importing an unchanged export creates nothing, with and without the tracking IDs', async () => {
  const mine = await product.register('owner');
  await send(mine, file(row('#1', 'Lamp'), row('', 'Chair')));
  const exported = await (await mine.api.packages.exportOfUser({ params: { id: mine.id } })).text();
  expect(await send(mine, exported)).toMatchObject({ created: 0, failed: 0, skipped: 2, ignoredColumns: [] });
  const report = await send(mine, exported.replaceAll(/"PKG-[A-Z0-9]{8}"/g, ''));
  expect(report).toMatchObject({ created: 0, failed: 0, skipped: 2 });
});

test('registered content is matched before current content, and each package at most once', () => {
  const group = (registered: string, current: string, count = 1) => ({ registered, current, count });
  expect(matchRows(['a', 'a', 'b'], [group('a', 'a', 2)])).toEqual([true, true, false]);
  expect(matchRows(['a', 'b'], [group('a', 'b')])).toEqual([true, false]);
  expect(matchRows(['b', 'a'], [group('a', 'b'), group('b', 'c')])).toEqual([true, true]);
  expect(matchRows(['b', 'b', 'a'], [group('a', 'b'), group('b', 'b')])).toEqual([true, false, true]);
  expect(matchRows(['c'], [group('a', 'b')])).toEqual([false]);
});
