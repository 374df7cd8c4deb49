import { escapeFormula, looksLikeFormula } from '@waybill/contract';
import { stringify } from 'csv-stringify/sync';

export type Cell = string | number | boolean | null;

/** A file that is sent while it is made. */
export interface CsvFile {
  name: string;
  /** Its text, piece by piece. Stops reading, and ends its query, when the signal tells that nobody listens any more. */
  chunks(signal: AbortSignal): AsyncGenerator<string>;
}

/** The cell as it was before an export, or a person, put an apostrophe in front of what looks like a formula. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && looksLikeFormula.test(cell.slice(1)) ? cell.slice(1) : cell;

const castTexts = {
  string: (text: string) => ({ value: escapeFormula(text), quoted: text !== '' }),
  boolean: String,
};

/**
 * RFC 4180, with a header row. The byte order mark is for spreadsheets: without it they take UTF-8 for the machine's code page.
 * Every text stands in quotes: a program that splits at another separator shall not find a formula in the middle of one.
 */
export async function* csvOf<Row, T>(
  columns: Record<string, (line: T) => Cell>,
  present: (row: Row) => T,
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  let head = `\ufeff${Object.keys(columns).join(',')}\r\n`;
  for await (const rows of batches) {
    const records = rows.map((row) => {
      const line = present(row);
      return cells.map((cell) => cell(line));
    });
    yield head + stringify(records, { cast: castTexts, record_delimiter: 'windows' });
    head = '';
  }
  if (head) yield head;
}
