import { beforeEach, expect, test } from 'vitest';
import { openPendingBodies } from './pending-bodies.ts';

let rejected: string[] = [];
beforeEach(() => void (rejected = []));
const body = (name: string, caller: string, network = '192.0.2.1', bytes = 10_000) => ({
  caller,
  network,
  bytes,
  reject: () => void rejected.push(name),
});

test('past the bound of an account its oldest pending body is evicted', () => {
  const pending = openPendingBodies({ bytes: 1e9, perAccount: 2, perAddress: 100 });
  pending.add(body('ann 1', 'ann'));
  const second = pending.add(body('ann 2', 'ann'));
  pending.add(body('bob 1', 'bob'));
  pending.add(body('ann 3', 'ann'));
  expect(rejected).toEqual(['ann 1']);
  second();
  second();
  pending.add(body('ann 4', 'ann'));
  expect(rejected).toEqual(['ann 1']);
  expect(pending.count()).toBe(3);
});

test('past the bound of an address the account with the most pending bytes there is evicted, and none elsewhere', () => {
  const pending = openPendingBodies({ bytes: 1e9, perAccount: 100, perAddress: 3 });
  pending.add(body('cy 1', 'cy', '192.0.2.2'));
  pending.add(body('bob 1', 'bob'));
  pending.add(body('ann 1', 'ann'));
  pending.add(body('ann 2', 'ann'));
  pending.add(body('bob 2', 'bob'));
  expect(rejected).toEqual(['ann 1']);
});

test('all pending bodies share a bound in bytes; a tiny body counts as 8 KB', () => {
  const pending = openPendingBodies({ bytes: 100_000, perAccount: 100, perAddress: 100 });
  pending.add(body('ann 1', 'ann', '192.0.2.1', 60_000));
  for (let number = 1; number <= 4; number++) pending.add(body(`bob ${number}`, 'bob', '192.0.2.2', 1));
  expect(rejected).toEqual([]);
  pending.add(body('bob 5', 'bob', '192.0.2.2', 8192));
  expect(rejected).toEqual(['ann 1']);
});
