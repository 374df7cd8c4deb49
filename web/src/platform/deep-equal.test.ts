import { expect, test } from 'vitest';
import { isDeepEqual } from './deep-equal.ts';

test('a form is dirty if a field differs, nested fields included, and clean again once the old value is typed', () => {
  const initial = { name: 'Dan', vehicle: { type: 'Van', model: '' } };
  expect(isDeepEqual(initial, { name: 'Dan', vehicle: { type: 'Van', model: '' } })).toBe(true);
  expect(isDeepEqual(initial, { name: 'Dan', vehicle: { type: 'Van', model: 'Sprinter' } })).toBe(false);
  expect(isDeepEqual({ name: '' }, { name: '', note: '' })).toBe(false);
});

test('files are compared by identity, not by content', () => {
  const file = new File(['a'], 'a.png');
  expect(isDeepEqual({ photo: file }, { photo: file })).toBe(true);
  expect(isDeepEqual({ photo: file }, { photo: new File(['a'], 'a.png') })).toBe(false);
  expect(isDeepEqual({ photo: null }, { photo: file })).toBe(false);
});

const file = new File(['a'], 'a.png');

test('lists are equal if they have equal items in the same order', () => {
  expect(isDeepEqual(['a', file], ['a', file])).toBe(true);
  expect(isDeepEqual(['a', file], [file, 'a'])).toBe(false);
  expect(isDeepEqual([file], [file, file])).toBe(false);
});
