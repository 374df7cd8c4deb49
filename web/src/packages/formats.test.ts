import { withTheDriver } from '@waybill/contract';
import { expect, test } from 'vitest';
import { locationOf } from './formats.ts';

test('what failed at the door is still in the van until it is counted in; what is on the road is with its driver', () => {
  expect(locationOf({ status: 'processing', location: withTheDriver })).toBe('Still in the van');
  expect(locationOf({ status: 'in transit', location: withTheDriver })).toBe(withTheDriver);
  expect(locationOf({ status: 'processing', location: 'Riverton depot' })).toBe('Riverton depot');
  expect(locationOf({ status: 'processing', location: null })).toBeNull();
});
