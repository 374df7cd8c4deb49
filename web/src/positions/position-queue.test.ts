import { expect, test } from 'vitest';
import { maxKept, maxSent, openQueue } from './position-queue.ts';

const memory = (value: string | null = null) => ({
  read: () => value,
  write: (next: string | null) => {
    value = next;
  },
});
const pointAt = (seconds: number, lon = seconds / 1000) => ({
  at: new Date(Date.UTC(2026, 5, 10, 8) + seconds * 1000).toISOString(),
  lon,
  lat: 52.5,
});

test('a queue keeps points over a reload, drops the oldest over its limit and those of another user, and sends by device time', () => {
  const storage = memory();
  const queue = openQueue(storage, 'dana');
  for (let n = 0; n < maxKept + 10; n++) queue.add(pointAt(n * 10));
  expect(queue.size()).toBe(maxKept);
  const again = openQueue(storage, 'dana');
  const batch = again.batch();
  expect([batch.length, batch[0]]).toEqual([maxSent, pointAt(100)]);
  // The clock was set back meanwhile.
  again.add(pointAt(-500));
  again.remove(batch);
  expect([again.size(), again.batch()[0]]).toEqual([maxKept - maxSent + 1, pointAt(-500)]);
  expect(openQueue(storage, 'eve').size()).toBe(0);
  expect(openQueue(memory('{"userId":"dana","points":[null,{"at":"x"}]}'), 'dana').size()).toBe(0);
  expect(openQueue(memory('nonsense'), 'dana').size()).toBe(0);
});

test('who stands still adds a point in 30 seconds, who moves one in 5', () => {
  const queue = openQueue(memory(), 'dana');
  const added = (seconds: number, lon: number) => queue.add(pointAt(seconds, lon));
  expect([added(0, 1), added(4, 2), added(6, 1.0001), added(7, 1.001), added(20, 1.001), added(37, 1.001)]).toEqual([
    true,
    false,
    false,
    true,
    false,
    true,
  ]);
});
