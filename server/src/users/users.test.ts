import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestProduct, type TestProduct } from '../testing.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await openTestProduct();
});
afterAll(() => product.close());

test('x', async () => {
  console.time('reg');
  const owner = await product.register('owner');
  console.timeEnd('reg');
  expect(await owner.api.users.me()).toMatchObject({ role: 'owner' });
});
