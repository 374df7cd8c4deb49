import { expect, test } from 'vitest';
import { byAddress, readAddressLine, splitEvenly, type AddressKey } from './address-order.ts';

test.each([
  ['Ottenser Hauptstr. 44, 22765 Hamburg', 'Ottenser Hauptstr. 44', '22765', 'Hamburg'],
  ['Am Markt 3, 20095 Hamburg, Germany', 'Am Markt 3', '20095', 'Hamburg'],
  ['Hinterhof, Am Markt 3, 20095 Bad Oldesloe', 'Hinterhof, Am Markt 3', '20095', 'Bad Oldesloe'],
  ['10 Downing Street, SW1A 2AA London', '10 Downing Street', 'SW1A 2AA', 'London'],
  ['Dam 1, 1012 AB Amsterdam', 'Dam 1', '1012 AB', 'Amsterdam'],
  ['Am Kai 7, D-20457 Hamburg', 'Am Kai 7', 'D-20457', 'Hamburg'],
  ['Dorfstr. 1, Hausen', 'Dorfstr. 1', null, 'Hausen'],
  ['22765 Hamburg', '22765 Hamburg', null, null],
  ['', null, null, null],
  [null, null, null, null],
])('the address %j has its street, postal code and town', (line, street, postalCode, town) => {
  expect(readAddressLine(line)).toEqual({ street, postalCode, town });
});

const at = (postalCode: string | null, street: string | null): AddressKey => ({ postalCode, town: 'Hamburg', street });

test('stops are ordered by postal code, street and house number, those without an address last', () => {
  const ordered = [
    at('20095', 'Am Markt 9'),
    at('20095', 'Am Markt 43'),
    at('20095', 'zum Tor 1'),
    at('22765', 'Allee 2'),
  ];
  const without = at(null, null);
  expect([...ordered, without].toReversed().toSorted(byAddress)).toEqual([...ordered, without]);
});

const street = (number: number) => at('20095', `Allee ${number}`);

test.each([
  [10, 3, [3, 4, 3]],
  [2, 3, [1, 0, 1]],
  [0, 2, [0, 0]],
  [7, 1, [7]],
])('%i stops are split into %i runs of equal length', (stops, runs, lengths) => {
  const all = Array.from({ length: stops }, (_, number) => street(number));
  const split = splitEvenly(all, runs);
  expect(split.flat()).toEqual(all);
  expect(split.map((run) => run.length)).toEqual(lengths);
});

test('stops of one address stay together, unless that would make a run much longer', () => {
  const stops = [1, 2, 3, 4, 5, 5, 6, 7, 8, 9].map(street);
  expect(splitEvenly(stops, 2).map((run) => run.length)).toEqual([6, 4]);
  const tower = Array.from({ length: 20 }, () => street(1));
  expect(splitEvenly(tower, 2).map((run) => run.length)).toEqual([10, 10]);
});
