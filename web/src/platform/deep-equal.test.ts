import { expect, test } from 'vitest';
import { isDeepEqual } from './deep-equal.ts';

test('a form is dirty when a field differs, nested ones too, and not when it was typed back', () => {
  const initial = { name: 'Dan', vehicle: { type: 'Van', model: '' } };
  expect(isDeepEqual(initial, { name: 'Dan', vehicle: { type: 'Van', model: '' } })).toBe(true);
  expect(isDeepEqual(initial, { name: 'Dan', vehicle: { type: 'Van', model: 'Sprinter' } })).toBe(false);
  expect(isDeepEqual({ name: '' }, { name: '', note: '' })).toBe(false);
});

test('another file is a change, even with the same content', () => {
  const file = new File(['a'], 'a.png');
  expect(isDeepEqual({ photo: file }, { photo: file })).toBe(true);
  expect(isDeepEqual({ photo: file }, { photo: new File(['a'], 'a.png') })).toBe(false);
  expect(isDeepEqual({ photo: null }, { photo: file })).toBe(false);
});

const file = new File(['a'], 'a.png');

test('a list is the same while it has the same in the same places', () => {
  expect(isDeepEqual(['a', file], ['a', file])).toBe(true);
  expect(isDeepEqual(['a', file], [file, 'a'])).toBe(false);
  expect(isDeepEqual([file], [file, file])).toBe(false);
});
