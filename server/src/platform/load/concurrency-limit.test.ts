import { expect, test } from 'vitest';
import { createConcurrencyLimit, type LimitedRequest } from './concurrency-limit.ts';

let started: LimitedRequest[] = [];
const makeRequest = (caller: string, isSignedIn = true): LimitedRequest => {
  const limited: LimitedRequest = { caller, isSignedIn, start: () => void started.push(limited) };
  return limited;
};

test('a class accepts as many requests as it has slots, and one more after a release', () => {
  const limit = createConcurrencyLimit({ slots: 2 });
  const first = makeRequest('');
  expect([first, makeRequest(''), makeRequest('')].map((one) => limit.acquire(one))).toEqual([true, true, false]);
  limit.release(first);
  expect(limit.acquire(makeRequest(''))).toBe(true);
  expect(limit.size()).toBe(2);
});

test('a caller gets no more than its share of slots, which differs between accounts and addresses', () => {
  const limit = createConcurrencyLimit({ slots: 100, perAccount: 2, perAddress: 3 });
  const acquire = (caller: string, isSignedIn: boolean) => limit.acquire(makeRequest(caller, isSignedIn));
  expect([1, 2, 3].map(() => acquire('ann', true))).toEqual([true, true, false]);
  expect([1, 2, 3, 4].map(() => acquire('192.0.2.1', false))).toEqual([true, true, true, false]);
  expect([acquire('bob', true), acquire('192.0.2.2', false)]).toEqual([true, true]);
});

test('a bounded number runs, in all and per caller, and the others wait in a fair queue', () => {
  started = [];
  const limit = createConcurrencyLimit({ slots: 100, perAccount: 8, running: 3, runningPerAccount: 2 });
  const [a1, a2, a3, b1, b2, c1] = [
    makeRequest('ann'),
    makeRequest('ann'),
    makeRequest('ann'),
    makeRequest('bob'),
    makeRequest('bob'),
    makeRequest('cy'),
  ];
  for (const one of [a1, a2, a3, b1, b2, c1]) expect(limit.acquire(one)).toBe(true);
  expect(started).toEqual([a1, a2, b1]);
  // Bob has waited longer than Cy. Ann's third starts only when one of hers ends.
  limit.release(b1);
  expect(started).toEqual([a1, a2, b1, b2]);
  limit.release(a1);
  expect(started).toEqual([a1, a2, b1, b2, a3]);
  // A request released while it is still queued frees no running slot.
  limit.release(c1);
  limit.release(b2);
  expect(started).toHaveLength(5);
  expect(limit.size()).toBe(2);
});
