import { expect, test } from 'vitest';
import { differences, rowsAdded } from './written-rows.ts';

const counts = (rows: Record<string, number>) => new Map(Object.entries(rows));

test('a table that the baseline leaves out is a difference, a row moved by background work is not', () => {
  const before = counts({ packages: 100, outbox: 10, counts: 5 });
  const product = rowsAdded(before, counts({ packages: 120, outbox: 30, counts: 6, search: 20 }), 20);
  expect(differences(product, product)).toEqual([]);
  const baseline = rowsAdded(before, counts({ packages: 120, outbox: 30, counts: 5 }), 20);
  expect(differences(product, baseline)).toEqual(['rows in search per write: 1.0 by the product, 0.0 by the baseline']);
});
