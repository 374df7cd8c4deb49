import { expect, test } from 'vitest';
import { toQuery, isFiltered } from './filters.ts';
import { PackageSearch } from './search.ts';

const noon = new Date('2026-03-30T12:00:00');

test('deleted packages are queried by their own filter', () => {
  expect(toQuery({ status: 'inactive' }, noon).status).toBe('inactive');
});

test('without a filter everything except deleted packages is queried', () => {
  expect(toQuery({}, noon)).toEqual({
    q: undefined,
    status: 'processing,in transit,out for delivery,delivered,cancelled',
    from: undefined,
  });
});

test('the filter in transit includes out for delivery', () => {
  expect(toQuery({ status: 'in transit' }, noon).status).toBe('in transit,out for delivery');
});

test.each([
  ['today', '2026-03-30T00:00:00'],
  ['last-7-days', '2026-03-23T00:00:00'],
  ['last-30-days', '2026-02-28T00:00:00'],
] as const)("%s begins at the viewer's midnight", (date, start) => {
  expect(toQuery({ date }, noon).from).toBe(new Date(start).toISOString());
});

test('failed and overdue are sent only while they filter', () => {
  const search = PackageSearch({ failed: true, overdue: 'yes', status: 'cancelled' });
  expect(isFiltered({ overdue: true })).toBe(true);
  expect(toQuery(search, noon)).toMatchObject({ status: 'cancelled', failed: true, overdue: undefined });
});

test('unknown values in the URL are dropped', () => {
  const search = PackageSearch({ q: 42, status: 'lost', date: 'yesterday' });
  expect(search).toEqual({ q: '42', status: undefined, date: undefined });
  expect(isFiltered(search)).toBe(true);
  expect(isFiltered({})).toBe(false);
});
