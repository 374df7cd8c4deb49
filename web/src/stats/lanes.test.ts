import type { Lane, LaneStop } from '@waybill/contract';
import { expect, test } from 'vitest';
import { endOf, hoursOf, inTrouble, isOverShift, nextOf, percentOf, spanOf } from './lanes.ts';

const stop = (packageId: string, at: string | null, more: Partial<LaneStop> = {}): LaneStop => ({
  packageId,
  state: 'open',
  at: at && `2026-11-24T${at}:00.000Z`,
  late: false,
  ...more,
});

const lane = (driver: string, stops: LaneStop[], more: Partial<Lane> = {}): Lane => ({
  routeId: driver,
  day: '2026-11-24',
  depotId: 'depot',
  timeZone: 'UTC',
  driverId: driver,
  driver,
  state: 'started',
  startsAt: null,
  shift: null,
  stops,
  ...more,
});

test('lanes with late stops are first, then those on the road, then by name', () => {
  const sorted = inTrouble([
    lane('Zoe', [stop('1', '10:00')]),
    lane('Ada', [stop('2', '10:00')], { state: 'planned' }),
    lane('Bo', [stop('3', '10:00')]),
    lane('Yan', [stop('4', '10:00', { late: true })]),
  ]);
  expect(sorted.map(({ driver }) => driver)).toEqual(['Yan', 'Bo', 'Zoe', 'Ada']);
});

test('the stop that is out for delivery is the next one, wherever it is in the order', () => {
  const stops = [stop('1', '09:00', { state: 'delivered' }), stop('2', '10:00'), stop('3', '10:10', { state: 'next' })];
  expect(nextOf(lane('Bo', stops))?.packageId).toBe('3');
  expect(nextOf(lane('Bo', stops.slice(0, 2)))?.packageId).toBe('2');
  expect(nextOf(lane('Bo', stops.slice(0, 1)))).toBeUndefined();
});

test('the lanes show full hours around the present and all known times, at most a day', () => {
  const now = Date.parse('2026-11-24T11:42:00Z');
  const span = spanOf([lane('Bo', [stop('1', '09:20'), stop('2', null), stop('3', '15:10')])], now);
  expect([new Date(span.from).toISOString(), new Date(span.to).toISOString()]).toEqual([
    '2026-11-24T09:00:00.000Z',
    '2026-11-24T16:00:00.000Z',
  ]);
  expect(percentOf(span, Date.parse('2026-11-24T12:30:00Z'))).toBe(50);
  expect(hoursOf(span)).toHaveLength(7);
  const old = spanOf([lane('Bo', [stop('1', '15:10')], { startsAt: '2026-11-20T08:00:00.000Z' })], now);
  expect(old.to - old.from).toBe(24 * 3_600_000);
  expect(percentOf(old, Date.parse('2026-11-20T08:00:00Z'))).toBe(0);
});

test('a lane shows its whole shift, and is over it when the last open stop is expected after its end', () => {
  const shift = { from: '2026-11-24T07:30:00.000Z', to: '2026-11-24T15:00:00.000Z' };
  const stops = [stop('1', '16:00', { state: 'delivered' }), stop('2', '15:10')];
  const over = lane('Bo', stops, { shift });
  expect([endOf(over), isOverShift(over)]).toEqual(['2026-11-24T15:10:00.000Z', true]);
  expect(isOverShift(lane('Bo', stops.slice(0, 1), { shift }))).toBe(false);
  expect(isOverShift(lane('Bo', [stop('1', '14:59')], { shift }))).toBe(false);
  expect(isOverShift(lane('Bo', stops))).toBe(false);
  const { from } = spanOf([over], Date.parse('2026-11-24T11:42:00Z'));
  expect(new Date(from).toISOString()).toBe('2026-11-24T07:00:00.000Z');
});
