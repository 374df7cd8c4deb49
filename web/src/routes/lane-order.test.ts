import type { Route } from '@waybill/contract';
import { expect, test } from 'vitest';
import { inLaneOrder } from './lane-order.ts';
import type { LaneOrder } from './lane-order.ts';

const stop = (time: string, to: string | null = null) => ({
  state: 'open',
  arrivesAt: `2026-05-20T${time}:00.000Z`,
  delivery: { window: to && { from: '2026-05-20T06:00:00.000Z', to: `2026-05-20T${to}:00.000Z` }, eta: null },
});
const routes = [
  { id: 'zoe', driverId: 'Zoe', kilograms: 4, stops: [stop('09:00'), stop('10:00')] },
  { id: 'nobody', driverId: null, kilograms: 30, stops: [] },
  { id: 'ben', driverId: 'Ben', kilograms: 12, stops: [stop('12:00', '11:00')] },
] as unknown as Route[];

test('lanes stand as they were made, by driver with those without one first, or with the most pressing first', () => {
  const sorted = (order?: LaneOrder) =>
    inLaneOrder(routes, order, (id) => id ?? 'No driver', { timeZone: 'UTC' }).map(({ id }) => id);
  expect(sorted()).toEqual(['zoe', 'nobody', 'ben']);
  expect(sorted('driver')).toEqual(['nobody', 'ben', 'zoe']);
  expect(sorted('end')).toEqual(['ben', 'zoe', 'nobody']);
  expect(sorted('stops')).toEqual(['zoe', 'ben', 'nobody']);
  expect(sorted('kilograms')).toEqual(['nobody', 'ben', 'zoe']);
  expect(sorted('late')).toEqual(['ben', 'zoe', 'nobody']);
});
