import { expect, test } from 'vitest';
import { codeOf, findByCode } from './codes.ts';
import { mergedOrder, moved } from './stop-order.ts';

test.each([
  ['the same stops', 'cab', 'abc', 'cab'],
  ['a stop is done meanwhile', 'cab', 'bc', 'cb'],
  ['a stop is new meanwhile', 'cab', 'abcd', 'cabd'],
  ['both', 'cab', 'dbc', 'cbd'],
  ['everything is gone', 'cab', '', ''],
])('an order keeps what it knows: %s', (_, wanted, open, expected) => {
  expect(mergedOrder(wanted.split(''), open.split('')).join('')).toBe(expected);
});

test('a stop is moved up, down and to the ends', () => {
  const to = (place: number) => moved(['a', 'b', 'c', 'd'], 'b', place).join('');
  expect([to(0), to(1), to(2), to(3)]).toEqual(['bacd', 'abcd', 'acbd', 'acdb']);
});

test.each([
  [' pkg-7rttskym ', 'a'],
  ['https://waybill.example.com/track/PKG-7RTTSKYM', 'a'],
  ['order 4711', 'b'],
  ['KYM', 'a'],
  ['AB', undefined],
  ['111', undefined],
  ['PKG-ZZZZZZZZ', undefined],
  ['', undefined],
])('the code %s finds a stop', (text, id) => {
  const stop = (trackingId: string, reference: string | null, of: string) => ({
    of,
    delivery: { trackingId, reference },
  });
  const stops = [
    stop('PKG-7RTTSKYM', null, 'a'),
    stop('PKG-AAAAA111', 'Order 4711', 'b'),
    stop('PKG-BBBBB111', null, 'c'),
  ];
  expect(findByCode(stops, text)?.of).toBe(id);
});

test('a code of a package that is not here is shown as its tracking ID', () => {
  expect(codeOf('http://host/track/pkg-7rttskym?x=1')).toBe('PKG-7RTTSKYM');
  expect(codeOf(' 4006381333931 ')).toBe('4006381333931');
});
