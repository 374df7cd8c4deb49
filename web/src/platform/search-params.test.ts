import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { PagesParam, TextParam, parseTextParam, replacesHistory, searchOf } from './search-params.ts';

const read = searchOf({ q: TextParam, pages: PagesParam });

test('digits are accepted as text', () => expect(read({ q: 12 })).toEqual({ q: '12' }));

test.each([0, 1, 21, 2.5, '3', null, 1e9])('an invalid page count in the URL (%s) is ignored', (pages) =>
  expect(read({ pages })).toEqual({}),
);

test('filters create a history entry; typing and paging replace it', () => {
  expect(replacesHistory({ status: 'delivered' })).toBe(false);
  expect(replacesHistory({ q: 'lamp' })).toBe(true);
  expect(replacesHistory({ pages: 2 })).toBe(true);
});

test('digits are unquoted in the URL, and every text survives the round trip', () => {
  const write = stringifySearchWith(JSON.stringify, parseTextParam);
  expect(write({ days: '30', pages: 2, status: 'in transit' })).toBe('?days=30&pages=2&status=in+transit');
  for (const q of ['30', '0151', '1e3', '1.0', 'true', 'null', '"30"', '{}', '49151234567890123456', 'lamp', '-5'])
    expect(read(parseSearchWith(JSON.parse)(write({ q })))).toMatchObject({ q });
});
