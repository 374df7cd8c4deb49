import { expect, test } from 'vitest';
import { countOfLater, withoutLater } from './later.ts';

test('what is for later is counted up to 5,000, and then nothing is subtracted that was not counted', () => {
  expect([countOfLater(1), countOfLater(5000), countOfLater(5001)]).toEqual(['1', '5,000', '5,000+']);
  expect([withoutLater(10, 3), withoutLater(2, 3), withoutLater(5001, 5001)]).toEqual([7, 0, 5001]);
});
