import { escapeFormula, looksLikeFormula } from '@waybill/contract';

export type Cell = string | number | boolean | null;

/** A file that is streamed while it is generated. */
export interface CsvFile {
  name: string;
  /** Its text in chunks. Ends its query when the signal aborts (the client has disconnected). */
  chunks(signal: AbortSignal): AsyncGenerator<string>;
}

/** Removes the apostrophe that an export, or a person, put in front of a cell that looks like a formula. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && looksLikeFormula.test(cell.slice(1)) ? cell.slice(1) : cell;

const inQuotes = (text: string) => (text === '' ? '' : `"${escapeFormula(text).replaceAll('"', '""')}"`);

const asText = (cell: Cell) => (typeof cell === 'string' ? inQuotes(cell) : cell === null ? '' : String(cell));

/**
 * Generates CSV (RFC 4180) with a header row. With a byte order mark: without it spreadsheets decode UTF-8 as the machine's code page.
 * Every text is quoted: otherwise a program that splits at another separator could find a formula in the middle of a cell.
 */
export async function* csvOf<Row, T>(
  columns: Record<string, (line: T) => Cell>,
  present: (row: Row) => T,
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  let head = `\ufeff${Object.keys(columns).join(',')}\r\n`;
  for await (const rows of batches) {
    let text = head;
    for (const row of rows) {
      const line = present(row);
      text += `${cells.map((cell) => asText(cell(line))).join(',')}\r\n`;
    }
    yield text;
    head = '';
  }
  if (head) yield head;
}
