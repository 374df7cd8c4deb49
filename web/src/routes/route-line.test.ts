import type { Depot, Route } from '@waybill/contract';
import { expect, test } from 'vitest';
import { lineOf } from './route-line.ts';

const at = (lon: number, accuracy = 'rooftop') => ({ lon, lat: 53.5, accuracy, source: 'test' });
const depot = at(10) as Depot['place'];
const stop = (place: object | null) => ({ delivery: { place } });
const lonsOf = (route: object, base: Depot['place'] = depot) =>
  lineOf({ start: null, end: null, ...route } as Route, base).map(({ lon }) => lon);

test('the line of a route begins and ends at the depot, or where its driver does, and leaves out what has no place', () => {
  const stops = [stop(at(10.1)), stop(null), stop(at(10.2, 'town')), stop(at(10.3, 'street'))];
  expect(lonsOf({ stops })).toEqual([10, 10.1, 10.3, 10]);
  expect(lonsOf({ stops, start: { lon: 9, lat: 53 } })).toEqual([9, 10.1, 10.3, 10]);
  expect(lonsOf({ stops, start: { lon: 9, lat: 53 }, end: { lon: 8, lat: 53 } })).toEqual([9, 10.1, 10.3, 8]);
  expect(lonsOf({ stops }, null)).toEqual([10.1, 10.3]);
  expect(lonsOf({ stops }, at(10, 'town') as Depot['place'])).toEqual([10.1, 10.3]);
  expect(lonsOf({ stops: [stop(null)], start: { lon: 9, lat: 53 } })).toEqual([]);
});
