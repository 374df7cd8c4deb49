import { expect, test } from 'vitest';
import { withDraft } from './draft-values.ts';

test('a draft of an older version keeps what was typed, and has the fields that came later as a new form has them', () => {
  const file = new File([], 'lamp.jpg');
  const initial = { name: '', handling: { fragile: false, pin: false, age: false }, window: null, photo: null };
  const older = { name: 'Lamp', handling: { fragile: true }, window: { from: '08:00' }, photo: file };
  expect(withDraft(initial, older)).toEqual({
    name: 'Lamp',
    handling: { fragile: true, pin: false, age: false },
    window: { from: '08:00' },
    photo: file,
  });
  expect(initial.handling).toEqual({ fragile: false, pin: false, age: false });
});
