import { expect, test } from 'vitest';
import { handlingOfAll } from './door-handling.ts';

const none = {
  fragile: false,
  keepUpright: false,
  refrigerated: false,
  signatureRequired: false,
  pin: false,
  age: null,
  safePlace: null,
};

test('a door asks for what one of its packages asks for, and a safe place is that of the first', () => {
  const second = { ...none, fragile: true, pin: true, age: 18 as const, safePlace: 'Garage' };
  expect(handlingOfAll([{ handling: none }, { handling: second }])).toEqual({ ...second, safePlace: null });
  expect(handlingOfAll([{ handling: second }, { handling: none }])).toEqual(second);
});
