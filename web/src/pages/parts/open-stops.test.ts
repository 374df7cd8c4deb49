import { expect, test } from 'vitest';
import { numbersOf } from './open-stops.ts';

test('stops keep the number of the round in any order, and what is on the road besides comes after its last', () => {
  const stops = ['a', 'b', 'c', 'd'].map((packageId, index) => ({ packageId, position: index + 1 }));
  const numbers = (taken: string) =>
    numbersOf(
      stops,
      taken.split('').map((id) => ({ id })),
    ).join(' ');
  expect(numbers('bcd')).toBe('2 3 4');
  expect(numbers('dbxcy')).toBe('4 2 5 3 6');
});
