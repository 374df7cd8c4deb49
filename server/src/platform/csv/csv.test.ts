import { expect, test } from 'vitest';
import { csvOf, unescapeFormula } from './csv.ts';

// oxlint-disable-next-line typescript/require-await -- one batch
async function* once<T>(rows: T[]) {
  yield rows;
}

test.each([
  '=',
  '+',
  '-',
  '@',
  '\uff1d',
  '\uff0b',
  '\uff0d',
  '\uff20',
  '\t',
  '\r',
  '\n',
  '\u0000',
  '\u0007',
  '\u001b',
  '\u007f',
  '\u009f',
])('a cell that starts with %j, which may be or hide a formula, is escaped with an apostrophe', async (start) => {
  const cell = `${start}cmd|calc`;
  let file = '';
  for await (const piece of csvOf({ name: (text: string) => text }, (row: string) => row, once([cell]))) file += piece;
  expect(file).toBe(`\ufeffname\r\n"'${cell}"\r\n`);
  expect(unescapeFormula(`'${cell}`)).toBe(cell);
});

test('texts are quoted with their quotes doubled; numbers, truth values and empty cells are not', async () => {
  const cells = ['two, "quoted"\r\nlines', '', null, 0, -1.5, 1e21, true, false, 'ä😀'];
  const columns = Object.fromEntries(cells.map((cell, index) => [`column${index}`, () => cell]));
  let file = '';
  for await (const piece of csvOf(columns, (row: number) => row, once([1, 2]))) file += piece;
  const line = '"two, ""quoted""\r\nlines",,,0,-1.5,1e+21,true,false,"ä😀"\r\n';
  expect(file).toBe(`\ufeff${Object.keys(columns).join(',')}\r\n${line}${line}`);
});
