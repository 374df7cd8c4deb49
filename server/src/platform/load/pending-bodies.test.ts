import { beforeEach, expect, test } from 'vitest';
import { openPendingBodies } from './pending-bodies.ts';

let cut: string[] = [];
beforeEach(() => void (cut = []));
const body = (name: string, party: string, network = '192.0.2.1', bytes = 10_000) => ({
  party,
  network,
  bytes,
  cut: () => void cut.push(name),
});

test('of one account the body that has been on its way for longest gives way to the next', () => {
  const pending = openPendingBodies({ bytes: 1e9, each: 2, eachAddress: 100 });
  pending.add(body('ann 1', 'ann'));
  const second = pending.add(body('ann 2', 'ann'));
  pending.add(body('bob 1', 'bob'));
  pending.add(body('ann 3', 'ann'));
  expect(cut).toEqual(['ann 1']);
  second();
  second();
  pending.add(body('ann 4', 'ann'));
  expect(cut).toEqual(['ann 1']);
  expect(pending.count()).toBe(3);
});

test('of one address the account with most gives way, and nobody elsewhere', () => {
  const pending = openPendingBodies({ bytes: 1e9, each: 100, eachAddress: 3 });
  pending.add(body('cy 1', 'cy', '192.0.2.2'));
  pending.add(body('bob 1', 'bob'));
  pending.add(body('ann 1', 'ann'));
  pending.add(body('ann 2', 'ann'));
  pending.add(body('bob 2', 'bob'));
  expect(cut).toEqual(['ann 1']);
});

test('all bodies together have so many bytes; what announces nothing costs something all the same', () => {
  const pending = openPendingBodies({ bytes: 100_000, each: 100, eachAddress: 100 });
  pending.add(body('ann 1', 'ann', '192.0.2.1', 60_000));
  for (let number = 1; number <= 4; number++) pending.add(body(`bob ${number}`, 'bob', '192.0.2.2', 1));
  expect(cut).toEqual([]);
  pending.add(body('bob 5', 'bob', '192.0.2.2', 8192));
  expect(cut).toEqual(['ann 1']);
});
