import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inject, openTestProduct, packageInput, type TestProduct, type TestUser } from '../testing.ts';

let product: TestProduct;
let owner: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
});
afterAll(() => product.close());

const photo = (width = 800, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret' } })
    .toBuffer();

test('a photo is uploaded, claimed by a package and served', async () => {
  const bytes = await photo();
  const upload = await owner.api.images.announce({
    body: { name: '../My lamp.jpeg', type: 'image/jpeg', size: bytes.length },
  });
  const put = await product.app.inject({ method: 'PUT', url: upload.url, headers: upload.headers, payload: bytes });
  expect(put.statusCode).toBe(200);
  const pkg = await owner.api.packages.create({ body: packageInput({ images: [upload.image] }) });
  expect(pkg.images).toEqual([upload.image]);
  const served = await inject(product.app, upload.image, { method: 'GET' });
  expect(served.status).toBe(200);
  const kept = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
  expect(kept).toMatchObject({ format: 'jpeg', width: 800, height: 600 });
  expect(kept.exif).toBeUndefined();
});
