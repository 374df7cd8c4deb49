import { shiftMessages } from '@waybill/contract';
import { expect, test } from 'vitest';
import { shiftFormSchema } from './shift-form.ts';

const typed = {
  driverId: '0199f0d2-5d0e-7c3a-9b60-2f4a6c8e1b75',
  day: '2026-11-23',
  from: '08:00',
  to: '16:00',
  note: '',
};

const faultsOf = (change: Partial<typeof typed>) =>
  Object.fromEntries(
    (shiftFormSchema(null).safeParse({ ...typed, ...change }).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ]),
  );

test('contract errors on the instants of a shift are shown at the day and time fields', () => {
  expect(faultsOf({})).toEqual({});
  expect(faultsOf({ to: '08:10', driverId: '' })).toEqual({
    driverId: 'Please choose a driver',
    to: shiftMessages.short,
  });
  expect(faultsOf({ to: '07:00' })).toEqual({ to: shiftMessages.long });
  expect(faultsOf({ day: '1999-12-01' })).toEqual({ day: 'A shift must start between 2000 and 2100' });
  expect(faultsOf({ from: '' })).toEqual({ from: 'Please choose a time' });
});
