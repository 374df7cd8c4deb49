import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiError, Package } from '@waybill/contract';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { photo, uploadImage, type TestFile } from '../testing/images.ts';
import { limitEncoders } from './encode.ts';

let product: TestProduct;
let owner: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ works: false });
  owner = await product.register('owner');
});
afterEach(() => limitEncoders({}));
afterAll(() => product.close());

/** A picture that keeps an encoder busy for a while: noise, in a format that is slow to write. */
const laborious = async (width: number, height: number): Promise<TestFile> => ({
  name: 'noise.webp',
  type: 'image/webp',
  bytes: await sharp({
    create: { width, height, channels: 3, background: 'teal', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .webp({ effort: 0, quality: 50 })
    .toBuffer(),
});

const create = (image: string, by = owner): Promise<Package | ApiError> =>
  createPackage(by, { images: [image] }).catch((error: ApiError) => error);

const encoders = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+.*images\/encoder\.ts/.exec(line))
    .filter((found) => Number(found?.[2]) === process.pid)
    .map((found) => Number(found?.[1]));

/** Kills every encoder of this process until the work is done. */
async function killing<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  while (!isOver) {
    for (const pid of encoders()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    }
    await sleep(10);
  }
  return done;
}

test('an encoder that is killed is no fault of the picture: 503, the upload stays, and a retry succeeds', async () => {
  const image = await uploadImage(product, owner, await laborious(1500, 1000));
  expect(await killing(create(image))).toMatchObject({ status: 503, retryAfterSeconds: 5 });
  expect(await create(image)).toMatchObject({ images: [image] });
});

test('a file over which encoders die again and again is damaged, and goes', async () => {
  const file = await laborious(1501, 1000);
  const image = await uploadImage(product, owner, file);
  expect(await killing(create(image))).toMatchObject({ status: 503 });
  // Sent anew it is the same file.
  const again = await uploadImage(product, owner, file);
  expect(await killing(create(again))).toMatchObject({ status: 503 });
  expect(await killing(create(again))).toMatchObject({ status: 422 });
  expect(await create(again)).toMatchObject({ status: 422 });
});

test('an encoder gets no more memory than its limit, and only its picture has to wait', async () => {
  const image = await uploadImage(product, owner);
  limitEncoders({ memoryKilobytes: 2_000 });
  expect(await create(image)).toMatchObject({ status: 503 });
  limitEncoders({});
  expect(await create(image)).toMatchObject({ images: [image] });
});

test('an encoder needs no more memory for its sixth photo than for its first', async () => {
  const { bytes } = await laborious(4000, 3000);
  const jpeg = { name: 'photo.jpg', type: 'image/jpeg', bytes: await sharp(bytes).jpeg({ quality: 85 }).toBuffer() };
  limitEncoders({ memoryKilobytes: 800 * 1024 });
  for (let number = 0; number < 6; number++) {
    const image = await uploadImage(product, owner, jpeg);
    expect(await create(image), `photo ${number}`).toMatchObject({ images: [image] });
  }
});

test('a picture that there is no memory for is not called damaged, until it was tried again and again', async () => {
  const bytes = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: 'teal' } })
    .jpeg({ progressive: true })
    .toBuffer();
  limitEncoders({ memoryKilobytes: 680 * 1024 });
  const image = await uploadImage(product, owner, { name: 'photo.jpg', type: 'image/jpeg', bytes });
  expect(await create(image)).toMatchObject({ status: 503 });
  limitEncoders({});
  expect(await create(image)).toMatchObject({ images: [image] });
});

test('a picture that takes too much of the processor is refused', async () => {
  const image = await uploadImage(product, owner, await laborious(2000, 1500));
  limitEncoders({ cpuSeconds: 0.01 });
  expect(await create(image)).toMatchObject({
    status: 422,
    message: 'Failed to upload noise.webp: it takes too long to read',
  });
});

test("one account's many pictures hold up nobody else's one", async () => {
  const other = await product.register('owner');
  const file = await laborious(1000, 700);
  const images = [];
  for (let sent = 0; sent < 7; sent++) images.push(await uploadImage(product, owner, file));
  const theirs = await uploadImage(product, other, await photo());
  const finished: string[] = [];
  const many = images.map((image) => create(image).finally(() => finished.push('many')));
  // By now all the others wait.
  await eventually('the first is ready', () => finished.length > 0);
  const one = create(theirs, other).finally(() => finished.push('one'));
  await Promise.all([...many, one]);
  expect(await one).toMatchObject({ images: [theirs] });
  // Those that were at work, and of the others' turns one, may go before it.
  expect(finished.indexOf('one')).toBeLessThan(5);
});
