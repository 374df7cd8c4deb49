import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from '../../observability/log.ts';
import type { Db } from './db.ts';
import { openFreeSpaceCheck, withFreeSpace } from './free-space.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('with less than 32 MB left the disk is full, until there is room again; it is looked at ten times a second at most', () => {
  let free = 32 * 2 ** 20;
  const look = vi.fn<() => number>(() => free);
  const lines: string[] = [];
  const isFull = openFreeSpaceCheck('/data', openLog('info', { write: (line) => lines.push(line) }), look);
  expect([isFull(), isFull()]).toEqual([false, false]);
  free--;
  vi.advanceTimersByTime(99);
  expect(isFull()).toBe(false);
  expect(look).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(isFull()).toBe(true);
  free++;
  expect(isFull()).toBe(true);
  vi.advanceTimersByTime(100);
  expect(isFull()).toBe(false);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the disk of DATA_DIR is full: nothing is written until 32 MB are free',
    'the disk of DATA_DIR has room again',
  ]);
});

test('a folder that is missing is on no full disk', () => {
  expect(openFreeSpaceCheck('/missing', openLog('silent'))()).toBe(false);
});

test('on a full disk no transaction begins, and reads go on', async () => {
  let isFull = true;
  const read = { one: 1 };
  const db: Db = {
    connections: 1,
    query: () => Promise.resolve([read]) as never,
    snapshot: (work) => work(db),
    transaction: () => Promise.resolve('done') as never,
  };
  const guarded = withFreeSpace(db, () => isFull);
  const write = () => guarded.transaction(() => Promise.resolve());
  await expect(write()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  expect(await guarded.query('select 1 as one')).toEqual([read]);
  expect(await guarded.snapshot((tx) => tx.query('select 1 as one'))).toEqual([read]);
  isFull = false;
  expect(await write()).toBe('done');
});
