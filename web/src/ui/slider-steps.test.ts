import { expect, test } from 'vitest';
import { nextStep, stepFor } from './slider-steps.ts';

test('the slider does not round a typed value that lies between two steps', () => {
  expect(stepFor(2.5, 0.1, 0.1)).toBe(0.1);
  expect(stepFor(0.3, 0.1, 0.1)).toBe(0.1);
  const small = stepFor(2.55, 0.1, 0.1);
  expect((2.55 - 0.1) / small).toBeCloseTo(Math.round((2.55 - 0.1) / small), 6);
});

test('a move from a value between two steps ends on the next step in its direction', () => {
  const small = stepFor(2.55, 0.1, 0.1);
  expect(nextStep(2.52 + small, 2.52, 0.1, 0.1)).toBe(2.6);
  expect(nextStep(2.58 - small, 2.58, 0.1, 0.1)).toBe(2.5);
  expect(nextStep(2.6, 2.5, 0.1, 0.1)).toBe(2.6);
});
