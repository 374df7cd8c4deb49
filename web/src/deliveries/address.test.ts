import { expect, test } from 'vitest';
import { splitAddress } from './address.ts';

test.each([
  ['Chestnut Avenue 22, 40112 Riverton', 'Chestnut Avenue', '22', '40112 Riverton'],
  ['Hafenstraße 5a, 20457 Hamburg, Germany', 'Hafenstraße', '5a', '20457 Hamburg, Germany'],
  ['Straße des 17. Juni 135, 10623 Berlin', 'Straße des 17. Juni', '135', '10623 Berlin'],
  ['Mönckebergstraße 12-14, 20095 Hamburg', 'Mönckebergstraße', '12-14', '20095 Hamburg'],
  ['10 Downing Street, London SW1A 2AA', 'Downing Street', '10', 'London SW1A 2AA'],
  ['350 5th Avenue, New York, NY 10118', '5th Avenue', '350', 'New York, NY 10118'],
  ['Calle Mayor, 5, 28013 Madrid', 'Calle Mayor', '5', '28013 Madrid'],
  ['Östra Allé 31', 'Östra Allé', '31', ''],
])('the house number of %s is found', (address, street, number, place) => {
  expect(splitAddress(address)).toEqual({ street, number, place });
});

test.each([
  ['The old mill, Riverton', 'The old mill', 'Riverton'],
  ['12 Avenue 5, Riverton', '12 Avenue 5', 'Riverton'],
  ['Main Street, 40112', 'Main Street', '40112'],
  ['40112 Riverton', '40112 Riverton', ''],
  ['', '', ''],
])('no number is guessed in %s', (address, street, place) => {
  expect(splitAddress(address)).toEqual({ street, number: null, place });
});
