import type { PerformanceDay } from '@waybill/contract';
import { expect, test } from 'vitest';
import { weekOf } from './week.ts';

test('a week is the last seven days, and is compared with the seven before', () => {
  const days = Array.from({ length: 30 }, (_, index) => ({ created: index }) as PerformanceDay);
  expect(weekOf(days, 'created')).toEqual({ counts: [23, 24, 25, 26, 27, 28, 29], sum: 182, before: 133 });
});
