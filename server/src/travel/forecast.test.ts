import { expect, test } from 'vitest';
import { simulateDays, type SimulatedOutcome } from '../testing/simulated-days.ts';
import {
  coldModel,
  forecast,
  horizonOf,
  horizons,
  learnPaces,
  learnQuantiles,
  learnRatios,
  paceOf,
  type ArrivalModel,
  type ForecastRound,
} from './forecast.ts';

const now = Date.UTC(2026, 5, 10, 12);
const minutes = (ms: number) => Math.round((ms - now) / 6000) / 10;
/** Stops 3 km of road apart, to the north: 386 s each. */
const place = (step: number) => ({ lon: 13.4, lat: 52.5 + (step * 3000) / 1.35 / 111_195 });
const round = (fields: Partial<ForecastRound> = {}): ForecastRound => ({
  now,
  since: now,
  from: place(0),
  position: null,
  stops: [1, 2, 3].map((step) => ({ place: place(step), opensAt: null })),
  atDoor: false,
  zoneMs: 0,
  pace: 1,
  msPerStop: 600_000,
  isPlanned: false,
  ...fields,
});
const expected = (fields: Partial<ForecastRound> = {}) =>
  forecast(round(fields), coldModel).map((found) => minutes(found.expected));
const windows = (fields: Partial<ForecastRound> = {}) =>
  forecast(round(fields), coldModel).map(({ window }) => window && [minutes(window.from), minutes(window.to)]);

test('arrivals are driving times and times at doors, with waiting for windows; the driver at a door, a position and an unknown place count', () => {
  expect(expected()).toEqual([6.4, 15.9, 25.3]);
  expect(windows()).toEqual([
    [5, 15],
    [10, 25],
    [20, 35],
  ]);
  // Longer on the way than expected, without a position: no arrival in the past.
  expect(expected({ since: now - 600_000 })).toEqual([0, 9.4, 18.9]);
  expect(expected({ atDoor: true })).toEqual([0, 9.4, 18.9]);
  // Half of the first leg is done.
  expect(expected({ position: { ...place(0.5), at: now }, since: now - 900_000 })).toEqual([3.2, 12.7, 22.1]);
  const opensAt = now + 30 * 60_000;
  expect(
    expected({
      stops: [
        { place: place(1), opensAt },
        { place: place(2), opensAt: null },
      ],
    }),
  ).toEqual([30, 39.4]);
  expect(
    expected({
      stops: [
        { place: null, opensAt: null },
        { place: place(2), opensAt: null },
      ],
    }),
  ).toEqual([10, 20]);
  expect(
    windows({
      stops: [
        { place: null, opensAt: null },
        { place: place(2), opensAt: null },
      ],
    }),
  ).toEqual([null, null]);
});

test('a window never begins after the time at which the driver is expected, at whatever minute one looks', () => {
  for (let minute = 0; minute < 5; minute++)
    for (const part of [0.05, 0.15, 0.3, 0.5, 1]) {
      const at = now + (minute + 0.5) * 60_000;
      const stops = [{ place: place(part), opensAt: null }];
      const [found] = forecast(round({ now: at, since: at, stops }), coldModel);
      const { from = 0, median = 0, to = 0 } = found?.window ?? {};
      expect([minute, part, from <= median, median <= to]).toEqual([minute, part, true, true]);
      expect(from).toBeGreaterThanOrEqual(at - 30_000);
      expect(to - from).toBeGreaterThanOrEqual(600_000);
    }
});

test('a round that is slow so far is expected to stay slow; a break says nothing, and a stop without a place neither', () => {
  const stopMs = 386_000 + 180_000;
  const begin = { place: place(0), at: now };
  const after = (each: number[]) => {
    let at = now;
    return paceOf(
      each.map((ms, index) => ({ place: place(index + 1), at: (at += ms) })),
      begin,
      0,
      coldModel,
    );
  };
  expect(after([])).toBe(1);
  const slow = after(Array<number>(10).fill(stopMs * 1.5));
  expect(slow).toBeGreaterThan(1.3);
  expect(slow).toBeLessThan(1.5);
  expect(after([stopMs * 1.5])).toBeLessThan(1.2);
  expect(after([stopMs, stopMs * 20, stopMs])).toBe(after([stopMs, stopMs * 3, stopMs]));
  expect(paceOf([{ place: null, at: now + 9_000_000 }], begin, 0, coldModel)).toBe(1);
  expect(expected({ pace: 1.5 })[2]).toBeCloseTo((expected()[2] ?? 0) * 1.5, 0);
});

test('drivers are expected to be as slow or fast as they were, drawn to all where they drove little; who is new as all', () => {
  const stopMs = 386_000 + 180_000;
  const round = (driverId: string, stops: number, slowness: number) => ({
    driverId,
    done: Array.from({ length: stops }, (_, index) => ({ place: place(index), at: now + index * stopMs * slowness })),
  });
  const { all, byDriver } = learnPaces(
    [
      round('slow', 100, 1.4),
      round('slow', 100, 1.4),
      round('fast', 200, 0.8),
      round('seldom', 2, 2),
      round('once', 1, 1),
    ],
    0,
    coldModel,
  );
  expect([...byDriver.keys()]).toEqual(['slow', 'fast', 'seldom']);
  expect(byDriver.get('slow')).toBeCloseTo(1.4, 1);
  expect(byDriver.get('fast')).toBeCloseTo(0.8, 1);
  expect(all).toBeCloseTo(1.1, 1);
  expect(byDriver.get('seldom')).toBeCloseTo(all, 0);
  const begin = { place: place(0), at: now };
  expect(paceOf([], begin, 0, { ...coldModel, pace: all })).toBe(all);
  expect(paceOf([], begin, 0, coldModel, 1.4)).toBe(1.4);
});

test('a window is wider when the position is older than three minutes, and never hidden', () => {
  const at = (age: number) =>
    windows({ position: { ...place(0), at: now - age * 60_000 } }).map((window) => window ?? []);
  const width = (age: number) => at(age).map(([from = 0, to = 0]) => to - from);
  for (const [index, wide] of width(20).entries()) expect(wide).toBeGreaterThan(width(0)[index] ?? 0);
  for (const [index, wide] of width(60).entries()) expect(wide).toBeGreaterThan(width(20)[index] ?? 0);
});

test('simulated days: four of five arrivals are in their window, and errors are smaller than without learning and by the number of stops', () => {
  const { legs } = simulateDays(1, 0, coldModel, new Map(), 28);
  const ratios = learnRatios(legs, 0);
  // Windows are learned from forecasts by what was learned about roads and drivers on the days before.
  const paces = (seed: number) =>
    learnPaces(simulateDays(seed, 0, coldModel, new Map(), 28).rounds, 0, { ...coldModel, ratios }).byDriver;
  const outcomesOf = (seed: number, days: number, model: ArrivalModel) =>
    simulateDays(seed, days, model, paces(seed), 28).outcomes;
  const learned = { ratios, quantiles: learnQuantiles(outcomesOf(1, 28, { ...coldModel, ratios })) };
  const share = (outcomes: SimulatedOutcome[], is: (outcome: SimulatedOutcome) => boolean) =>
    outcomes.filter(is).length / outcomes.length;
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const judged = [101, 102, 103].map((seed) => outcomesOf(seed, 10, learned));
  const cold = [101, 102, 103].map((seed) => simulateDays(seed, 10, coldModel, new Map(), 28).outcomes);
  for (const outcomes of judged)
    for (const chosen of [outcomes, outcomes.filter(({ horizon }) => horizon === 0)]) {
      const coverage = share(chosen, ({ isInside }) => isInside);
      expect(coverage).toBeGreaterThan(0.75);
      expect(coverage).toBeLessThan(0.85);
    }
  for (const horizon of horizons.keys()) {
    const of = (runs: SimulatedOutcome[][]) => runs.flat().filter((outcome) => outcome.horizon === horizon);
    const error = mean(of(judged).map(({ errorMs }) => errorMs));
    expect(error).toBeLessThan(mean(of(cold).map(({ errorMs }) => errorMs)) * 1.02);
    expect(error).toBeLessThan(mean(of(judged).map(({ fixedErrorMs }) => fixedErrorMs)));
  }
  expect([0, 1, 2, 3, 7, 8, 19, 20, 400].map(horizonOf)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4]);
});
