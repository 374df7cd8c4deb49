import type { Depot, Route, Shift } from '@waybill/contract';
import { expect, test } from 'vitest';
import { exceededBy, warningsOf } from './load.ts';
import { givenAway, hoursOfShift, insertedAt, momentIn, windowIn } from './plan.ts';

test.each([
  ['Europe/Berlin', '2026-06-10', '08:00', '2026-06-10T06:00:00.000Z'],
  ['Europe/Berlin', '2026-01-10', '00:30', '2026-01-09T23:30:00.000Z'],
  ['America/New_York', '2026-03-08', '09:00', '2026-03-08T13:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '09:00', '2026-10-25T08:00:00.000Z'],
])('in %s on %s %s is %s', (zone, day, time, moment) => {
  expect(momentIn(zone, day, time)).toBe(moment);
});

test('a window is as short as it can be read', () => {
  expect(windowIn('Europe/Berlin', { from: '2026-06-10T07:30:00Z', to: '2026-06-10T10:00:00Z' })).toBe('09:30–12');
  expect(windowIn('Europe/Berlin', null)).toBeNull();
});

test('stops are inserted before the one at their place, also further down the same route', () => {
  expect(insertedAt(['a', 'b', 'c'], ['x'], 1)).toEqual(['a', 'x', 'b', 'c']);
  expect(insertedAt(['a', 'b', 'c'], ['a'], 3)).toEqual(['b', 'c', 'a']);
  expect(insertedAt(['a', 'b', 'c'], ['c'], 0)).toEqual(['c', 'a', 'b']);
});

test('a route says by how much it exceeds its vehicle: weight, stops, and what must be kept cold', () => {
  const stop = (refrigerated: boolean, state = 'open') => ({ state, delivery: { handling: { refrigerated } } });
  const route = (vehicle: Route['vehicle']) =>
    ({ kilograms: 12.1, stops: [stop(true), stop(false), stop(true, 'delivered')], vehicle }) as unknown as Route;
  const excessOf = (vehicle: Route['vehicle']) => warningsOf(route(vehicle), exceededBy(route(vehicle)));
  expect(excessOf({ capacityKg: 10, maxStops: 1, skills: [] })).toEqual([
    '2.1 kg too heavy for this vehicle',
    '1 stop more than the 1 of this vehicle',
    '1 package must be kept cold: this vehicle is not refrigerated',
  ]);
  expect(excessOf({ capacityKg: 12.1, maxStops: 2, skills: ['refrigerated'] })).toEqual([]);
  expect(excessOf({ capacityKg: null, maxStops: null, skills: ['refrigerated'] })).toEqual([]);
  expect(excessOf(null)).toEqual([]);
});

test('a shift says its hours, and that they have passed as soon as it ends', () => {
  const shift = { startsAt: '2026-06-10T05:00:00Z', endsAt: '2026-06-10T13:00:00Z' } as Shift;
  const depot = { timeZone: 'Europe/Berlin' } as Depot;
  const hoursAt = (now: string) => hoursOfShift(shift, depot, new Date(now));
  expect(hoursAt('2026-06-10T12:59:59Z')).toBe('07:00 to 15:00');
  expect(hoursAt('2026-06-10T13:00:00Z')).toBe('07:00 to 15:00, over');
});

test('who falls ill gives away what is planned for the day from any depot, and what is on the road since yesterday, but not for tomorrow', () => {
  const route = (id: string, day: string, state: Route['state'], depotId = 'here', driverId = 'ill') =>
    ({ id, day, state, depotId, driverId }) as Route;
  const routes = [
    route('today', '2026-06-10', 'planned'),
    route('elsewhere', '2026-06-10', 'planned', 'there'),
    route('since yesterday', '2026-06-09', 'started', 'there'),
    route('tomorrow', '2026-06-11', 'planned'),
    route('over', '2026-06-10', 'finished'),
    route('of another', '2026-06-10', 'planned', 'here', 'well'),
  ];
  const depots = [
    { id: 'here', timeZone: 'Europe/Berlin' },
    { id: 'there', timeZone: 'Pacific/Auckland' },
  ];
  const givenOn = (day: string, time: string) =>
    givenAway('ill', { day, now: new Date(time) }, routes, depots).map(({ id }) => id);
  expect(givenOn('2026-06-10', '2026-06-10T08:00:00Z')).toEqual(['today', 'elsewhere', 'since yesterday']);
  expect(givenOn('2026-06-11', '2026-06-10T08:00:00Z')).toEqual(['tomorrow']);
  // There it is tomorrow already.
  expect(givenOn('2026-06-11', '2026-06-10T13:00:00Z')).toEqual(['since yesterday', 'tomorrow']);
});
