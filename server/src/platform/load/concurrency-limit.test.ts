import { expect, test } from 'vitest';
import { createConcurrencyLimit, type LimitedRequest } from './concurrency-limit.ts';

let started: LimitedRequest[] = [];
const come = (party: string, isSignedIn = true): LimitedRequest => {
  const occupant: LimitedRequest = { party, isSignedIn, start: () => void started.push(occupant) };
  return occupant;
};

test('a room lets in as many as it holds, and the next when one has left', () => {
  const room = createConcurrencyLimit({ room: 2 });
  const first = come('');
  expect([first, come(''), come('')].map((one) => room.acquire(one))).toEqual([true, true, false]);
  room.release(first);
  expect(room.acquire(come(''))).toBe(true);
  expect(room.size()).toBe(2);
});

test('nobody holds more than a share, an account another one than an address', () => {
  const room = createConcurrencyLimit({ room: 100, each: 2, eachAddress: 3 });
  const enter = (party: string, isSignedIn: boolean) => room.acquire(come(party, isSignedIn));
  expect([1, 2, 3].map(() => enter('ann', true))).toEqual([true, true, false]);
  expect([1, 2, 3, 4].map(() => enter('192.0.2.1', false))).toEqual([true, true, true, false]);
  expect([enter('bob', true), enter('192.0.2.2', false)]).toEqual([true, true]);
});

test('of those let in so many are at work, so many of each party, and the others follow in turn', () => {
  started = [];
  const room = createConcurrencyLimit({ room: 100, each: 8, running: 3, runningEach: 2 });
  const [a1, a2, a3, b1, b2, c1] = [come('ann'), come('ann'), come('ann'), come('bob'), come('bob'), come('cy')];
  for (const one of [a1, a2, a3, b1, b2, c1]) expect(room.acquire(one)).toBe(true);
  expect(started).toEqual([a1, a2, b1]);
  // Bob has been waiting for longer than Cy; Ann's third has a turn only when one of hers ends.
  room.release(b1);
  expect(started).toEqual([a1, a2, b1, b2]);
  room.release(a1);
  expect(started).toEqual([a1, a2, b1, b2, a3]);
  // Who leaves before the turn came takes nobody's.
  room.release(c1);
  room.release(b2);
  expect(started).toHaveLength(5);
  expect(room.size()).toBe(2);
});
