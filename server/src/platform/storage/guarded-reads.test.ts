import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { guardReads } from './guarded-reads.ts';

let requested: string[] = [];
let now = 0;
let answer: 'a file' | 'no file' | 'an error' = 'no file';
const open = () =>
  guardReads(
    async (path) => {
      requested.push(path);
      if (answer === 'an error') throw new Error('no answer');
      return answer === 'no file' ? null : { stream: Readable.from(['x']), size: 1 };
    },
    () => now,
  );
beforeEach(() => void ((requested = []), (now = 1000)));

test('a missing file is requested from the store once in 5 seconds', async () => {
  answer = 'no file';
  const { get: read } = open();
  expect([await read('packages/a.jpg'), await read('packages/a.jpg'), await read('packages/b.jpg')]).toEqual([
    null,
    null,
    null,
  ]);
  expect(requested).toEqual(['packages/a.jpg', 'packages/b.jpg']);
  now += 5001;
  answer = 'a file';
  expect(await read('packages/a.jpg')).toMatchObject({ size: 1 });
});

test('a file stored by this process is found at once, and so are direct uploads', async () => {
  answer = 'no file';
  const { get: read, stored } = open();
  expect([await read('packages/a.jpg'), await read('incoming/a.jpg')]).toEqual([null, null]);
  answer = 'a file';
  stored('packages/a.jpg');
  expect(await read('packages/a.jpg')).toMatchObject({ size: 1 });
  expect(await read('incoming/a.jpg')).toMatchObject({ size: 1 });
});

test('after three failures the circuit opens, then one request probes the store, and a success closes it', async () => {
  answer = 'an error';
  const { get: read } = open();
  const busy = { code: 'unavailable', retryAfterSeconds: 5 };
  for (let number = 0; number < 3; number++) await expect(read('packages/a.jpg')).rejects.toThrow('no answer');
  await expect(read('packages/a.jpg')).rejects.toMatchObject(busy);
  expect(requested).toHaveLength(3);
  now += 5001;
  const [one, others] = await Promise.allSettled([read('packages/a.jpg'), read('packages/a.jpg')]);
  expect([one, others]).toMatchObject([{ reason: { message: 'no answer' } }, { reason: busy }]);
  now += 5001;
  answer = 'a file';
  for (let number = 0; number < 3; number++) expect(await read('packages/a.jpg')).toMatchObject({ size: 1 });
  expect(requested).toHaveLength(7);
});
