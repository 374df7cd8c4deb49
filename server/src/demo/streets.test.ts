import { expect, test } from 'vitest';
import { buildTown } from '../maps/town.ts';
import { straightMetres } from '../travel/estimate.ts';
import { drivingOf, lengthOf, pointOn, wayBetween } from './streets.ts';

test('a simulated driver follows the streets of the town, and goes straight elsewhere', () => {
  const { addresses, crossings } = buildTown();
  const [from, to] = [addresses[0], addresses.at(-1)].map((one) => one && { lon: one.place.lon, lat: one.place.lat });
  if (!from || !to) throw new Error('no addresses');
  const way = wayBetween(from, to);
  expect(way.length).toBeGreaterThan(10);
  expect([way[0], way.at(-1)]).toEqual([from, to]);
  const known = new Set(crossings.map(([lon, lat]) => `${lon} ${lat}`));
  expect(way.slice(1, -1).every(({ lon, lat }) => known.has(`${lon} ${lat}`))).toBe(true);
  const metres = lengthOf(way);
  expect(metres).toBeGreaterThan(straightMetres(from, to));
  expect(metres).toBeLessThan(2 * straightMetres(from, to));
  expect([pointOn(way, 0), pointOn(way, 1)]).toEqual([from, to]);
  const hamburg = { lon: 10, lat: 53.55 };
  expect(wayBetween(from, hamburg)).toEqual([from, hamburg]);
  expect(pointOn([from, { lon: from.lon, lat: from.lat + 0.01 }], 0.5).lat).toBeCloseTo(from.lat + 0.005, 6);
});

test('at a speed a way takes as long as its length says, with a report every 10 s and one at its end', () => {
  const from = { lon: 10, lat: 53.55 };
  // 28 km/h for a minute.
  const to = { lon: 10, lat: 53.55 + 28_000 / 60 / 111_195 };
  const { ms, reports } = drivingOf([from, to], 28);
  expect(Math.round(ms / 100)).toBe(600);
  expect([6, 7]).toContain(reports);
  expect(Math.round(drivingOf([from, to], 56).ms / 100)).toBe(300);
  expect(drivingOf([from, from], 28)).toEqual({ ms: 0, reports: 1 });
});
