import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  password,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin');
});
afterAll(() => product.close());

const remove = (user: TestUser, given = password) => user.api.users.removeOwn({ body: { password: given } });
const signIn = ({ email }: TestUser) => product.api().auth.login({ body: { email, password } });

test('deleting the own account ends its sessions and cancels pending packages; a wrong password changes nothing', async () => {
  const owner = await product.register('owner');
  const elsewhere = await signIn(owner);
  const pkg = await createPackage(owner);
  await expect(remove(owner, 'guess')).rejects.toMatchObject({
    status: 422,
    fields: { password: 'The password is not right' },
  });
  expect(await owner.api.users.me()).toMatchObject({ id: owner.id });
  expect(await remove(owner)).toBeUndefined();
  for (const token of [owner.token, elsewhere.token])
    await expect(product.api(token).users.me()).rejects.toMatchObject({ status: 401 });
  await expect(signIn(owner)).rejects.toMatchObject({ status: 401 });
  const params = { id: pkg.id };
  await eventually('the package is cancelled', async () => {
    return (await admin.api.packages.read({ params })).status === 'cancelled';
  });
});

test('a driver with deliveries under way must finish them first', async () => {
  const [owner, driver] = [await product.register('owner'), await product.register('driver')];
  const { id } = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id } });
  await expect(remove(driver)).rejects.toMatchObject({
    status: 409,
    code: 'conflict',
    message: 'You still have 1 delivery under way. Please complete or give back what you carry first.',
  });
  await driver.api.deliveries.complete({ params: { id } });
  await remove(driver);
  await expect(driver.api.users.me()).rejects.toMatchObject({ status: 401 });
});

test('the last active administrator cannot delete the own account', async () => {
  await expect(remove(admin)).rejects.toMatchObject({ status: 409, code: 'conflict' });
  const other = await product.register('admin');
  await remove(other);
  expect(await admin.api.users.me()).toMatchObject({ id: admin.id });
});
