import { expect, test } from 'vitest';
import { packageColumnsOf } from './package-columns.tsx';
import type { InventorySearch } from './search.ts';

const columnsOf = (search: InventorySearch) =>
  packageColumnsOf(search)
    .map(({ id }) => id)
    .join(' ');

test('packages behind a count have no column that says the same in each row', () => {
  expect(columnsOf({ overdue: true })).toBe('name destination place driver status since');
  expect(columnsOf({ place: 'riverton' })).toBe('name destination driver status since');
  expect(columnsOf({ status: 'delivered' })).toBe('name destination place driver since');
  expect(columnsOf({ status: 'processing' })).toBe('name destination place since');
  // Two statuses: in transit, and the next stop.
  expect(columnsOf({ status: 'in transit,out for delivery' })).toBe('name destination place driver status since');
});
