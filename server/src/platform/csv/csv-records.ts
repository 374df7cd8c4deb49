import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
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
  let header: string[] | null = null;
  const records: CsvRecord[] = [];
  for await (const { line, cells } of rowsOf(file)) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (header === null) {
      header = cells.map((cell) => cell.trim());
      continue;
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
  }
  if (header === null || records.length === 0) throw fault('The file has no rows');
  return { header, records };
}

async function* rowsOf(file: Buffer): AsyncGenerator<{ line: number; cells: string[] }> {
  const lines = countLines(file);
  let end = 0;
  // Filled when the parser reads a row, which may be long before the loop below consumes it.
  const lineStarts: number[] = [];
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
      lineStarts.push(lines(end));
      end = bytes;
      return cells;
    },
  });
  try {
    // Feed the parser in slices, so that other requests are served in between.
    for await (const cells of Readable.from(slicesOf(file)).pipe(parser)) {
      yield { line: lineStarts.shift() ?? 0, cells: cells as string[] };
    }
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

function* slicesOf(file: Buffer) {
  for (let start = 0; start < file.length; start += sliceBytes) yield file.subarray(start, start + sliceBytes);
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
