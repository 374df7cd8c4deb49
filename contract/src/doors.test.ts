import { expect, test } from 'vitest';
import { doorsOf, othersAtAddress } from './doors.ts';

const stop = (packageId: string, recipientAddress: string | null, recipientName: string | null = 'Jonas Weber') => ({
  packageId,
  delivery: { recipientAddress, recipientName },
});
const idsOf = (stops: { packageId: string }[]) => stops.map(({ packageId }) => packageId).join('');
const mill = 'Mill Lane 4, 40112 Riverton';

test.each([
  ['neighbours with the same address and recipient', [stop('a', mill), stop('b', mill), stop('c', 'Old Mill')], 'ab c'],
  ['case and blanks', [stop('a', mill), stop('b', ' MILL  lane 4 ,40112 Riverton ', 'jonas  weber')], 'ab'],
  ['another recipient', [stop('a', mill), stop('b', mill, 'Amelia Stone')], 'a b'],
  ['another number', [stop('a', mill), stop('b', 'Mill Lane 41, 40112 Riverton')], 'a b'],
  ['blanks within a number', [stop('a', 'Mill Lane 1 1'), stop('b', 'Mill Lane 11')], 'a b'],
  ['another postcode', [stop('a', mill), stop('b', 'Mill Lane 4, 40113 Riverton')], 'a b'],
  ['not neighbours', [stop('a', mill), stop('b', 'Old Mill'), stop('c', mill)], 'a b c'],
  ['no address', [stop('a', null), stop('b', null)], 'a b'],
  ['no recipient', [stop('a', mill, null), stop('b', mill, null)], 'a b'],
  ['no stops', [], ''],
])('doors: %s', (_, stops, expected) => {
  expect(doorsOf(stops).map(idsOf).join(' ')).toBe(expected);
});

test('others at the address of a door are for somebody else, or elsewhere in the order', () => {
  const stops = [
    stop('a', mill),
    stop('b', mill.toUpperCase()),
    stop('c', mill, 'Amelia Stone'),
    stop('d', 'Old Mill'),
    stop('e', mill),
  ];
  const [door = []] = doorsOf(stops);
  expect(idsOf(door)).toBe('ab');
  expect(idsOf(othersAtAddress(stops, door))).toBe('ce');
  expect(othersAtAddress([stop('a', null), stop('b', null)], [stop('a', null)])).toEqual([]);
});
