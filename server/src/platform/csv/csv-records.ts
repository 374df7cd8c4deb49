import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { unescapeFormula } from './csv.ts';
import { invalid } from '../errors.ts';

/** A row, and the line on which it begins, from 1. */
export interface CsvRecord {
  line: number;
  /** In the order of the header; a short row has fewer. */
  cells: string[];
  /** Number of cells, if non-empty cells exceed the columns of the header; else null. */
  tooMany: number | null;
}

export interface CsvTable {
  /** The names of the columns, trimmed. */
  header: string[];
  records: CsvRecord[];
}

/** Bounds the memory of an unclosed quotation mark, an endless line or a million empty cells. */
const maxRowBytes = 64 * 1024;
const sliceBytes = 64 * 1024;

const fault = (message: string) => invalid({ body: message });

/**
 * Parses a CSV file with a header row. Empty rows are skipped.
 * @throws invalid if the file is malformed, with the line in the message
 */
export async function readTable(file: Buffer, maxRows: number): Promise<CsvTable> {
  if (!isUtf8(file)) throw fault(`Line ${firstBadLine(file)} is not UTF-8. Please save the file as 'CSV UTF-8'.`);
  const long = firstLongLine(file);
  if (long !== null) throw fault(`Line ${long} is longer than 64 KB`);
  const header: string[] = [];
  const records: CsvRecord[] = [];
  await parseRows(file, (line, cells) => {
    if (cells.every((cell) => cell.trim() === '')) return;
    if (header.length === 0) {
      header.push(...cells.map((cell) => cell.trim()));
      return;
    }
    if (records.length === maxRows) {
      throw fault(`The file has more than ${maxRows.toLocaleString('en')} rows. Please split it.`);
    }
    const hasExtraCells = cells.slice(header.length).some((cell) => cell.trim() !== '');
    records.push({
      line,
      cells: cells.slice(0, header.length).map(unescapeFormula),
      tooMany: hasExtraCells ? cells.length : null,
    });
  });
  if (records.length === 0) throw fault('The file has no rows');
  return { header, records };
}

/** Calls `onRow` with each row, in order. What it throws ends the parsing. */
async function parseRows(file: Buffer, onRow: (line: number, cells: string[]) => void): Promise<void> {
  const lines = countLines(file);
  let end = 0;
  const parser = parse({
    bom: true,
    delimiter: detectSeparator(file),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // Allow quotes within cells: 24" is a size.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    on_record: (cells: string[], { bytes }) => {
      onRow(lines(end), cells);
      end = bytes;
      // Keep the row out of the parser's stream: reading it from there takes longer than parsing it.
      return null;
    },
  });
  try {
    await pipeline(Readable.from(slicesOf(file)), parser.resume());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = lines(end);
    throw error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? fault(`Line ${line} has a quotation mark that is never closed`)
      : error.code === 'CSV_MAX_RECORD_SIZE'
        ? fault(`The row at line ${line} is longer than 64 KB. Perhaps a quotation mark is not closed.`)
        : fault(`Line ${line} cannot be read`);
  }
}

async function* slicesOf(file: Buffer) {
  for (let start = 0; start < file.length; start += sliceBytes) {
    yield file.subarray(start, start + sliceBytes);
    // Serve other requests: a stream alone only yields to microtasks.
    await nextTurn();
  }
}

const lf = 0x0a;
const cr = 0x0d;

/** Returns a function from a byte offset to the line of the next row. Offsets must not decrease between calls. */
function countLines(file: Buffer): (after: number) => number {
  let line = 1;
  let at = 0;
  const advance = () => {
    if (file[at] === lf || (file[at] === cr && file[at + 1] !== lf)) line++;
    at++;
  };
  return (after) => {
    while (at < after) advance();
    while (file[at] === lf || file[at] === cr) advance();
    return line;
  };
}

function firstBadLine(file: Buffer): number {
  let line = 1;
  for (let start = 0; start < file.length; line++) {
    const found = file.indexOf(lf, start);
    const end = found < 0 ? file.length : found + 1;
    if (!isUtf8(file.subarray(start, end))) return line;
    start = end;
  }
  return line;
}

/** The parser's max_record_size counts the text of a row, but not its separators: check the raw line length. */
function firstLongLine(file: Buffer): number | null {
  let line = 1;
  let start = 0;
  for (let at = 0; at < file.length; at++) {
    if (file[at] === lf || file[at] === cr) {
      start = at + 1;
      if (file[at] === lf || file[start] !== lf) line++;
    } else if (at - start >= maxRowBytes) return line;
  }
  return null;
}

/** The most frequent of comma, semicolon and tab in the header. */
function detectSeparator(file: Buffer): string {
  const head = file.toString('utf8', 0, maxRowBytes);
  const header = /[^\r\n]+/.exec(head)?.[0] ?? '';
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
}
