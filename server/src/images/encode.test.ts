import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { encodeImage, setEncoderLimits } from './encode.ts';
import { runsAll } from '../testing/suite.ts';

let product: TestProduct;
let owner: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  owner = await product.register('owner');
});
afterEach(() => setEncoderLimits({}));
afterAll(() => product.close());

/** An image that keeps an encoder busy for a while: noise, in a format that is slow to encode. */
const slowImage = async (width: number, height: number): Promise<TestFile> => ({
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

/** Keeps killing the encoders of this process until `work` settles. */
async function killEncodersDuring<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    for (const pid of encoders()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has exited in the meantime.
      }
    }
    await sleep(10);
  }
  return done;
}

test('when the encoder is killed the call answers 503, the upload stays, and a retry succeeds', async () => {
  const image = await uploadImage(product, owner, await slowImage(1500, 1000));
  expect(await killEncodersDuring(create(image))).toMatchObject({ status: 503, retryAfterSeconds: 5 });
  expect(await create(image)).toMatchObject({ images: [image] });
});

test('a file that crashes the encoder three times counts as damaged and is removed', async () => {
  const file = await slowImage(1501, 1000);
  const image = await uploadImage(product, owner, file);
  expect(await killEncodersDuring(create(image))).toMatchObject({ status: 503 });
  // Uploaded again: another name, the same content.
  const again = await uploadImage(product, owner, file);
  expect(await killEncodersDuring(create(again))).toMatchObject({ status: 503 });
  expect(await killEncodersDuring(create(again))).toMatchObject({ status: 422 });
  expect(await create(again)).toMatchObject({ status: 422 });
});

test('an encoder gets no more memory than its limit; exceeding it answers 503, and a retry succeeds', async () => {
  const image = await uploadImage(product, owner);
  setEncoderLimits({ memoryKilobytes: 2_000 });
  expect(await create(image)).toMatchObject({ status: 503 });
  setEncoderLimits({});
  expect(await create(image)).toMatchObject({ images: [image] });
});

test.runIf(runsAll)('an encoder needs no more memory for its sixth photo than for its first', async () => {
  const { bytes } = await slowImage(4000, 3000);
  const jpeg = { name: 'photo.jpg', type: 'image/jpeg', bytes: await sharp(bytes).jpeg({ quality: 85 }).toBuffer() };
  setEncoderLimits({ memoryKilobytes: 800 * 1024 });
  for (let number = 0; number < 6; number++) {
    const image = await uploadImage(product, owner, jpeg);
    expect(await create(image), `photo ${number}`).toMatchObject({ images: [image] });
  }
});

test('an image that exceeds the memory limit once is answered 503, not damaged', async () => {
  const bytes = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: 'teal' } })
    .jpeg({ progressive: true })
    .toBuffer();
  setEncoderLimits({ memoryKilobytes: 680 * 1024 });
  const image = await uploadImage(product, owner, { name: 'photo.jpg', type: 'image/jpeg', bytes });
  expect(await create(image)).toMatchObject({ status: 503 });
  setEncoderLimits({});
  expect(await create(image)).toMatchObject({ images: [image] });
});

test.skipIf(!existsSync('/dev/full'))('a full disk is not the fault of the image: 503', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-encode-'));
  const upload = join(folder, 'upload');
  writeFileSync(upload, (await photo()).bytes);
  symlinkSync('/dev/full', `${upload}.image`);
  const encoded = encodeImage(upload, 'image/jpeg', { name: 'photo.jpg', field: 'images', account: owner.id });
  await expect(encoded).rejects.toMatchObject({ code: 'unavailable' });
  rmSync(folder, { recursive: true });
});

test.runIf(runsAll)('an image that exceeds the CPU time limit is refused', async () => {
  const image = await uploadImage(product, owner, await slowImage(2000, 1500));
  setEncoderLimits({ cpuSeconds: 0.01 });
  expect(await create(image)).toMatchObject({
    status: 422,
    message: 'Failed to upload noise.webp: it takes too long to read',
  });
});

test.runIf(runsAll)(
  'many images of one account do not delay the single image of another: accounts take turns',
  async () => {
    const other = await product.register('owner');
    const file = await slowImage(1000, 700);
    const images = [];
    for (let sent = 0; sent < 7; sent++) images.push(await uploadImage(product, owner, file));
    const theirs = await uploadImage(product, other, await photo());
    const finished: string[] = [];
    const many = images.map((image) => create(image).finally(() => finished.push('many')));
    // By now all the others are queued.
    await eventually('the first is ready', () => finished.length > 0);
    const one = create(theirs, other).finally(() => finished.push('one'));
    await Promise.all([...many, one]);
    expect(await one).toMatchObject({ images: [theirs] });
    // The images that were already being encoded, and one turn of the other account, may finish first.
    expect(finished.indexOf('one')).toBeLessThan(5);
  },
);
