import { expect, test } from 'vitest';
import { asSelection, chooseRows, groupState, isChosen, nothingChosen, toggleGroup, totalsOf } from './selection.ts';

const group = (postalCode: string, packages: number) => ({
  postalCode,
  town: 'Hamburg',
  packages,
  kilograms: packages,
});
const row = (id: string, postalCode: string) => ({ id, weight: 1, postalCode, town: 'Hamburg' });
const groups = [group('1', 3), group('2', 2)];
const [one, two] = groups as [ReturnType<typeof group>, ReturnType<typeof group>];
const matching = { packages: 5, kilograms: 5 };

test('a ticked group counts with what is not loaded of it, without what is unticked in it', () => {
  let chosen = toggleGroup(nothingChosen, one, groups);
  expect(groupState(chosen, one)).toBe(true);
  expect(totalsOf(chosen, groups, matching)).toEqual({ packages: 3, kilograms: 3 });
  chosen = chooseRows(chosen, [row('a', '1')], false);
  expect(isChosen(chosen, row('a', '1'))).toBe(false);
  expect(isChosen(chosen, row('b', '1'))).toBe(true);
  expect(groupState(chosen, one)).toBe('mixed');
  chosen = chooseRows(chosen, [row('c', '2')], true);
  expect(totalsOf(chosen, groups, matching)).toEqual({ packages: 3, kilograms: 3 });
  expect(asSelection(chosen, { place: '1' })).toEqual({
    filter: { place: '1' },
    all: false,
    groups: [{ postalCode: '1', town: 'Hamburg' }],
    packageIds: ['c'],
    except: ['a'],
  });
  // Ticked again, the group is whole.
  expect(groupState(toggleGroup(chosen, one, groups), one)).toBe(true);
});

test('rows one by one make a group, and unticking a group leaves the others of everything', () => {
  const rows = chooseRows(nothingChosen, [row('c', '2'), row('d', '2')], true);
  expect(groupState(rows, two)).toBe(true);
  const all = { ...nothingChosen, all: true };
  expect(totalsOf(all, groups, matching)).toEqual(matching);
  const rest = toggleGroup(all, one, groups);
  expect(groupState(rest, one)).toBe(false);
  expect(totalsOf(rest, groups, matching)).toEqual({ packages: 2, kilograms: 2 });
});
