import { expect, test } from 'vitest';
import { fileOfRows } from './import-rows.ts';
import type { FaultyRow } from './import-rows.ts';

const row = (cells: FaultyRow['cells'], line = 7): FaultyRow => ({
  line,
  reason: 'Contact must be at least 10 characters; "x"',
  fields: { recipientContact: 'Contact must be at least 10 characters' },
  cells,
});

test('rows are written with the column names of the template, quoted and guarded against formula injection', () => {
  const { text } = fileOfRows([row({ name: 'A 24" screen', reference: '=1+1', recipientContact: '+49' })], true);
  expect(text).toBe(
    'reference,name,description,category,weight,recipientName,recipientContact,line,reason\n' +
      `"'=1+1","A 24"" screen","","","","","'+49","7","Contact must be at least 10 characters; ""x"""\n`,
  );
});

test('line numbers account for cells that span several lines', () => {
  const { lines } = fileOfRows([
    row({ description: 'One\ntwo\nthree' }),
    row({ name: 'Lamp' }),
    row({ name: 'Chair' }),
  ]);
  expect(lines).toEqual([2, 5, 6]);
});
