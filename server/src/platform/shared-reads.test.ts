import { expect, test } from 'vitest';
import { shareReads } from './shared-reads.ts';

test('whoever asks while a read is under way shares the next one, which began after they asked', async () => {
  const reads: PromiseWithResolvers<string>[] = [];
  const ask = shareReads(() => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  }, 0);
  const first = [ask(), ask()];
  await expect.poll(() => reads.length).toBe(1);
  const later = [ask(), ask(), ask()];
  reads[0]?.resolve('before');
  expect(await Promise.all(first)).toEqual(['before', 'before']);
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.resolve('after');
  expect(await Promise.all(later)).toEqual(['after', 'after', 'after']);
  expect(reads).toHaveLength(2);
});

test('a read that fails is told to those who share it, and to nobody else', async () => {
  let reads = 0;
  const ask = shareReads(async () => {
    if (++reads === 1) throw new Error('lost');
    return reads;
  }, 0);
  expect(await Promise.allSettled([ask(), ask()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await ask()).toBe(2);
});

test('who asks alone does not wait after the read before, and a crowd does', async () => {
  const pauseMs = 2_000_000_000;
  let reads = 0;
  const ask = shareReads(async () => ++reads, pauseMs);
  // Without a pause, else this would wait for days.
  for (const number of [1, 2, 3]) expect(await ask()).toBe(number);
  expect(await Promise.all([ask(), ask()])).toEqual([4, 4]);
  let isAnswered = false;
  void ask().then(() => (isAnswered = true));
  await new Promise(setImmediate);
  expect([reads, isAnswered]).toEqual([4, false]);
});
