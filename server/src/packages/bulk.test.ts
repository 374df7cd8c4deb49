import { rolePermissions, type Package, type PackageStatus } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const change = (
  user: TestUser,
  action: 'cancel' | 'delete',
  packages: Pick<Package, 'id'>[],
  idempotencyKey?: string,
) =>
  user.api.packages.bulk({
    body: { action, packageIds: packages.map(({ id }) => id) },
    ...(idempotencyKey && { idempotencyKey }),
  });
const read = ({ id }: Package, user = owner) => user.api.packages.read({ params: { id } });
const eventsOf = async ({ id }: Package) =>
  (await owner.api.packages.events({ params: { id } })).items.map(({ type }) => type);
const unknown = { id: '01990f6e-4c1a-7b52-9d3e-5a7c2f10b8e4' };

/** A package with this status. */
async function make(status: PackageStatus, as = owner): Promise<Package> {
  const pkg = await createPackage(as);
  const params = { id: pkg.id };
  if (status === 'in transit' || status === 'delivered') await driver.api.deliveries.start({ params });
  if (status === 'delivered') await driver.api.deliveries.complete({ params });
  if (status === 'cancelled' || status === 'inactive') await as.api.packages.update({ params, body: { status } });
  return pkg;
}

test('cancels what can be cancelled, and reports the rest with the error that it has one by one', async () => {
  const other = await product.register('owner');
  const [waiting, second] = [await make('processing'), await make('processing')];
  const [moving, delivered, deleted] = [await make('in transit'), await make('delivered'), await make('inactive')];
  const foreign = await make('processing', other);
  const refused = await Promise.all(
    [moving, delivered, deleted, foreign, unknown].map(async ({ id }) => {
      const alone = owner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
      const { code, message } = await alone.then(
        () => ({ code: null, message: null }),
        (error: { code: string; message: string }) => error,
      );
      return { packageId: id, code, message };
    }),
  );
  expect(refused.map(({ code }) => code)).toEqual([
    'illegal_step',
    'illegal_step',
    'illegal_step',
    'not_found',
    'not_found',
  ]);
  const chosen = [waiting, moving, delivered, deleted, foreign, unknown, second];
  expect(await change(owner, 'cancel', chosen)).toEqual({ done: 2, refused });
  expect((await read(waiting)).status).toBe('cancelled');
  expect((await read(second)).status).toBe('cancelled');
  expect((await read(moving)).status).toBe('in transit');
  expect((await read(foreign, other)).status).toBe('processing');
  expect(await eventsOf(waiting)).toEqual(['package.cancelled', 'package.created']);
});

test('deletes waiting and cancelled packages; what is there already counts as done and changes nothing', async () => {
  const [waiting, cancelled, deleted] = [await make('processing'), await make('cancelled'), await make('inactive')];
  const before = await read(deleted);
  expect(await change(owner, 'delete', [waiting, cancelled, deleted])).toEqual({ done: 3, refused: [] });
  expect([(await read(waiting)).status, (await read(cancelled)).status]).toEqual(['inactive', 'inactive']);
  expect(await read(deleted)).toEqual(before);
});

test('an administrator reaches everybody’s packages', async () => {
  const theirs = [await make('processing'), await make('processing', await product.register('owner'))];
  expect(await change(admin, 'cancel', theirs)).toEqual({ done: 2, refused: [] });
});

test('deleting needs its permission, as one by one', async () => {
  const limited = await product.register('owner');
  const pkg = await make('processing', limited);
  await admin.api.users.update({
    params: { id: limited.id },
    body: { permissions: rolePermissions.owner.filter((permission) => permission !== 'packages.delete') },
  });
  await expect(change(limited, 'delete', [pkg])).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  expect(await change(limited, 'cancel', [pkg])).toEqual({ done: 1, refused: [] });
});

test('a repeat with the same key gets the first reply and changes nothing more', async () => {
  const packages = [await make('processing'), await make('in transit')];
  const first = await change(owner, 'cancel', packages, 'once');
  const [moving] = packages.slice(1);
  await driver.api.deliveries.fail({ params: { id: moving?.id ?? '' }, body: { reason: 'Nobody home' } });
  expect(await change(owner, 'cancel', packages, 'once')).toEqual(first);
  expect(first.refused).toHaveLength(1);
  expect(moving && (await read(moving)).status).toBe('processing');
  await expect(change(owner, 'delete', packages, 'once')).rejects.toMatchObject({ code: 'key_reused' });
});

test('200 packages are one request, concurrent ones in opposite orders do not deadlock, and each package changes once', async () => {
  const packages: Package[] = [];
  for (let count = 0; count < 200; count++) packages.push(await make('processing'));
  const replies = await Promise.all([
    change(owner, 'cancel', packages),
    change(owner, 'cancel', packages.toReversed()),
  ]);
  expect(replies).toEqual([
    { done: 200, refused: [] },
    { done: 200, refused: [] },
  ]);
  const [first, last] = [packages[0], packages.at(-1)];
  if (first && last) expect([await eventsOf(first), await eventsOf(last)].flat()).toHaveLength(4);
  await expect(change(owner, 'cancel', [...packages, unknown])).rejects.toMatchObject({
    fields: { packageIds: 'At most 200 packages at a time' },
  });
});
