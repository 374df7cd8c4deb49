import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';

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
