import { expect, test } from 'vitest';
import { openSeenPairs } from './seen-pairs.ts';

const id = (index: number) => `PKG-${String(index).padStart(8, '0')}`;

test('remembers pairs, not their parts, until it is told to forget them', () => {
  const seen = openSeenPairs(1024);
  seen.add('192.0.2.1', id(1));
  seen.add('192.0.2.2', id(2));
  expect(seen.has('192.0.2.1', id(1))).toBe(true);
  expect(seen.has('192.0.2.1', id(2))).toBe(false);
  expect(seen.has('192.0.2.2', id(1))).toBe(false);
  expect(seen.has('192.0.2.1P', id(1).slice(1))).toBe(false);
  seen.delete('192.0.2.1', id(1));
  seen.delete('192.0.2.1', id(3));
  expect(seen.has('192.0.2.1', id(1))).toBe(false);
  expect(seen.has('192.0.2.2', id(2))).toBe(true);
});

test('half as many pairs as it holds are nearly all remembered, a pair in use is never forgotten, and no other is mistaken for one', () => {
  const seen = openSeenPairs(1 << 14);
  const used = id(99_999_999);
  seen.add('192.0.2.9', used);
  for (let index = 0; index < 1 << 13; index++) {
    seen.add('192.0.2.1', id(index));
    // Three others of its set at most come in between.
    if (index % 64 === 0) expect(seen.has('192.0.2.9', used)).toBe(true);
  }
  const remembered = Array.from({ length: 1 << 13 }, (_, index) => seen.has('192.0.2.1', id(index))).filter(Boolean);
  expect(remembered.length).toBeGreaterThan(0.9 * (1 << 13));
  const mistaken = Array.from({ length: 100_000 }, (_, index) => seen.has('192.0.2.1', id(10_000_000 + index)));
  expect(mistaken).not.toContain(true);
});
