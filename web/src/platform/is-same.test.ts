import { expect, test } from 'vitest';
import { isSame } from './is-same.ts';

test('a form is dirty when a field differs, nested ones too, and not when it was typed back', () => {
  const initial = { name: 'Dan', vehicle: { type: 'Van', model: '' } };
  expect(isSame(initial, { name: 'Dan', vehicle: { type: 'Van', model: '' } })).toBe(true);
  expect(isSame(initial, { name: 'Dan', vehicle: { type: 'Van', model: 'Sprinter' } })).toBe(false);
  expect(isSame({ name: '' }, { name: '', note: '' })).toBe(false);
});

test('another file is a change, even with the same content', () => {
  const file = new File(['a'], 'a.png');
  expect(isSame({ photo: file }, { photo: file })).toBe(true);
  expect(isSame({ photo: file }, { photo: new File(['a'], 'a.png') })).toBe(false);
  expect(isSame({ photo: null }, { photo: file })).toBe(false);
});

const file = new File(['a'], 'a.png');

test('a list is the same while it has the same in the same places', () => {
  expect(isSame(['a', file], ['a', file])).toBe(true);
  expect(isSame(['a', file], [file, 'a'])).toBe(false);
  expect(isSame([file], [file, file])).toBe(false);
});
