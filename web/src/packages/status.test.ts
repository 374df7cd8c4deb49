import { expect, test } from 'vitest';
import { statusStyle } from './status.ts';

test.each([
  ['processing', 'Processing', 'yellow', 10, 25],
  ['in transit', 'Out for Delivery', 'blue', 50, 75],
  ['out for delivery', 'Out for Delivery', 'blue', 75, 75],
  ['delivered', 'delivered', 'green', 100, 100],
  ['cancelled', 'cancelled', 'red', 0, 10],
  ['inactive', 'inactive', 'grey', 0, 10],
  ['on the moon', 'on the moon', 'grey', 0, 10],
])(
  '%s is shown as %s, %s, at %i %% for the public and %i %% for its owner',
  (status, label, tone, trackerProgress, ownerProgress) => {
    expect(statusStyle(status)).toEqual({ label, tone, trackerProgress, ownerProgress });
  },
);

test('the case of a status does not matter', () => {
  expect(statusStyle('In Transit')).toEqual(statusStyle('in transit'));
});
