import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CreatePackageInput,
  drawTrackingId,
  importColumns,
  mostImportRows,
  requiredImportColumns,
  type Import,
  type ImportColumn,
  type ImportProgress,
  type PageQuery,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { z } from 'zod';
import type { Ctx } from '../ctx.ts';
import { record, recordAll } from '../events/record.ts';
import type { Tx } from '../platform/db.ts';
import { csvOf, type CsvFile } from '../platform/csv.ts';
import { plainName, readRecords, type CsvRecord } from '../platform/csv-records.ts';
import { AppError, notFound, unavailable } from '../platform/errors.ts';
import { check, pageOf, type Listed } from '../platform/http.ts';
import type { Actor } from '../platform/sessions.ts';
import { requireActive } from '../users/service.ts';
import {
  asProgress,
  asReport,
  countImports,
  findImport,
  findImportToRepeat,
  importLock,
  insertFaults,
  insertImport,
  listFaults,
  listImportRows,
  setProgress,
  setStarted,
  type ImportRow,
  type RowFault,
} from './import-queries.ts';
import { insertPackages, takenReferences, type NewPackage } from './queries.ts';
import { asContent, packageEvent, referenceTaken, trackingIdTaken } from './service.ts';

/** Packages, their events and how far the import has come are committed together, so many rows at a time. */
const batchSize = 250;

/** Imports at once in one process: each keeps its file in memory and the database busy. */
const mostAtOnce = 2;
let underWay = 0;

const columns = Object.entries(importColumns) as [ImportColumn, readonly string[]][];

/** A field may be called by its own name or by its path; what else an export has is not read. */
const names = new Map<string, ImportColumn | null>([
  ...[...Object.keys(CreatePackageInput.shape), 'receivedBy', 'ratingStars', 'ratingComment'].map(
    (name) => [plainName(name), null] as const,
  ),
  ...columns.flatMap(([name, path]) => [[plainName(name), name] as const, [plainName(path.join('')), name] as const]),
]);

interface Row {
  line: number;
  input: CreatePackageInput | null;
  faults: Record<string, string>;
}

/**
 * Creates a package for each good row and reports each bad one.
 *
 * A repeat makes nothing twice. The same Idempotency-Key, or without one the same file again, answers the first report; one that
 * was broken off goes on behind the last committed batch. Only a new key makes a file that has been imported a new import.
 * @throws invalid when the file cannot be read: then nothing was made
 */
export async function importPackages(ctx: Ctx, actor: Actor, file: Buffer, key: string | null): Promise<Import> {
  if (underWay >= mostAtOnce) throw unavailable(5);
  underWay++;
  try {
    const report = await ctx.longRunning.alone(importLock(actor.id), () => importAlone(ctx, actor, file, key));
    if (!report) throw stillRunning();
    return report;
  } finally {
    underWay--;
  }
}

const stillRunning = () =>
  new AppError('still_running', 'Another import of yours is still running. Please wait until it has finished.');

const tooManyRows = 'Too many rows were imported within the hour. Please try the rest later.';

async function importAlone(ctx: Ctx, actor: Actor, file: Buffer, key: string | null): Promise<Import> {
  const fileHash = createHash('sha256').update(file).digest();
  const earlier = await findImportToRepeat(ctx.db, actor.id, fileHash, key);
  if (earlier && !earlier.file_hash.equals(fileHash)) {
    throw new AppError('key_reused', 'This Idempotency-Key was used for another file');
  }
  if (earlier?.finished_at) return readImport(ctx, actor, earlier.id);
  const rows = await readRows(file);
  // One that goes on was counted when it began.
  if (!earlier) await ctx.rateLimits.take('importRows', actor.id, { points: rows.length, message: tooManyRows });
  const id = earlier?.id ?? uuid();
  await ctx.db.transaction(async (tx) => {
    await requireActive(tx, actor.id);
    if (earlier) await setStarted(tx, id);
    else await insertImport(tx, { id, ownerId: actor.id, fileHash, key, total: rows.length });
    await tellProgress(ctx, tx, actor, id);
  });
  for (let done = earlier?.done ?? 0; done < rows.length; done += batchSize) {
    await importBatch(ctx, actor, id, done, rows.slice(done, done + batchSize));
  }
  return readImport(ctx, actor, id);
}

/** The rows of the file with what is wrong in them, by the rules and in the words of the form. */
async function readRows(file: Buffer): Promise<Row[]> {
  const records = await readRecords(file, { names, required: requiredImportColumns, mostRows: mostImportRows });
  const rows: Row[] = [];
  for (const record of records) {
    rows.push(readRow(record));
    // Ten thousand are a second's work: others are served in between.
    if (rows.length % 50 === 0) await nextTurn();
  }
  return rows;
}

function readRow({ line, cells, tooMany }: CsvRecord<ImportColumn>): Row {
  if (tooMany !== null) {
    return { line, input: null, faults: { row: `This row has ${tooMany} cells, more than the header` } };
  }
  const checked = check(CreatePackageInput, inputOf(cells));
  if ('value' in checked) return { line, input: checked.value, faults: {} };
  const faults = Object.entries(checked.fields).map(([path, message]) => [columnOf(path), message]);
  return { line, input: null, faults: Object.fromEntries(faults) as Record<string, string> };
}

const columnOf = (path: string): string => columns.find(([, fields]) => fields.join('.') === path)?.[0] ?? path;

const numbers = new Set<ImportColumn>(['weight', 'width', 'height', 'length']);
const yesOrNo = new Set<ImportColumn>(['fragile', 'keepUpright', 'refrigerated', 'signatureRequired', 'hideRecipient']);

/** What the form would send. An empty cell is a field left out. */
function inputOf(cells: ReadonlyMap<ImportColumn, string>): object {
  const input: Record<string, unknown> = {};
  for (const [column, [field = '', part]] of columns) {
    const cell = cells.get(column)?.trim() ?? '';
    if (cell === '') continue;
    const value = numbers.has(column) ? asNumber(cell) : yesOrNo.has(column) ? asBoolean(cell) : cell;
    if (part === undefined) input[field] = value;
    else input[field] = { ...(input[field] as object | undefined), [part]: value };
  }
  return input;
}

/** With a decimal point or comma: where the one separates cells, people write the other. */
const asNumber = (cell: string): number =>
  /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : Number.NaN;

function asBoolean(cell: string): boolean | string {
  if (/^(true|yes|y|x|1)$/i.test(cell)) return true;
  return /^(false|no|n|0)$/i.test(cell) ? false : cell;
}

async function importBatch(ctx: Ctx, actor: Actor, id: string, done: number, rows: Row[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Whoever is suspended meanwhile gets no further, and goes on from here when active again.
    await requireActive(tx, actor.id);
    const faults: RowFault[] = rows.flatMap(({ line, input, faults: fields }) => (input ? [] : [{ line, fields }]));
    faults.push(...(await createPackages(ctx, tx, actor, rows)));
    if (faults.length > 0) await insertFaults(tx, id, faults);
    const moved = await setProgress(tx, id, done, { created: rows.length - faults.length, failed: faults.length });
    // Only when the connection that holds the lock was lost, and the same file sent again meanwhile.
    if (!moved) throw stillRunning();
    await tellProgress(ctx, tx, actor, id);
  });
}

/** @returns the rows whose tracking ID or reference is taken */
async function createPackages(ctx: Ctx, tx: Tx, actor: Actor, rows: Row[]): Promise<RowFault[]> {
  const at = ctx.now();
  const faults: RowFault[] = [];
  let wanted = rows.filter(({ input }) => input !== null);
  while (wanted.length > 0) {
    const drafts = new Map(wanted.map((row, seq) => [row, asDraft(row, actor.id, at, seq)]));
    const created = await insertPackages(tx, [...drafts.values()]);
    await recordAll(
      tx,
      created.map((pkg) => packageEvent('package.created', at, pkg, actor.id)),
    );
    const ids = new Set(created.map((pkg) => pkg.id));
    const refused = wanted.filter((row) => !ids.has(drafts.get(row)?.id ?? ''));
    const references = refused.flatMap(({ input }) => input?.reference ?? []);
    const taken = references.length > 0 ? await takenReferences(tx, actor.id, references) : new Set();
    wanted = [];
    for (const row of refused) {
      if (taken.has(row.input?.reference)) faults.push({ line: row.line, fields: referenceTaken });
      else if (row.input?.trackingId) faults.push({ line: row.line, fields: trackingIdTaken });
      // A drawn one that is taken is drawn again.
      else wanted.push(row);
    }
  }
  return faults;
}

const asDraft = ({ input }: Row, ownerId: string, at: Date, seq: number): NewPackage => {
  if (!input) throw new Error('a row without content cannot be created');
  return {
    // Those of one moment in the order of the file.
    id: uuid({ msecs: at.getTime(), seq }),
    ownerId,
    trackingId: input.trackingId ?? drawTrackingId(),
    at,
    content: asContent(input, []),
  };
};

const tellProgress = (ctx: Ctx, tx: Tx, actor: Actor, importId: string) =>
  record(tx, { type: 'import.progressed', at: ctx.now(), actorId: actor.id, userId: actor.id, importId });

export async function readImport(ctx: Ctx, actor: Actor, id: string): Promise<Import> {
  const row = await findImport(ctx.db, actor.id, id);
  if (!row) throw notFound('import');
  return asReport(row, await listFaults(ctx.db, id));
}

export async function listImports(
  ctx: Ctx,
  actor: Actor,
  query: z.output<typeof PageQuery>,
): Promise<Listed<ImportProgress>> {
  const rows = await listImportRows(ctx.db, actor.id, query.cursor ?? null, query.limit + 1);
  const total = query.count ? await countImports(ctx.db, actor.id) : null;
  return pageOf<ImportRow, ImportProgress>(rows, query.limit, total, (row) => row.id, asProgress);
}

const example: Partial<Record<ImportColumn, string>> = {
  reference: '#1001',
  name: 'Desk lamp',
  description: 'A lamp for the desk, in two parts',
  category: 'Furniture',
  weight: '2.5',
  width: '20',
  height: '45',
  length: '20',
  recipientName: 'Anna Maria Berg',
  recipientContact: '0151 23456789',
  location: 'Counter 1',
  eta: '2030-01-31',
  street: 'Harbour Street 12',
  postalCode: '10115',
  city: 'Berlin',
  country: 'Germany',
  windowFrom: '2030-01-31T08:00:00Z',
  windowTo: '2030-01-31T12:00:00Z',
  fragile: 'yes',
  keepUpright: 'no',
  refrigerated: 'no',
  signatureRequired: 'no',
  safePlace: 'Behind the shed',
  hideRecipient: 'no',
};

/** A file with every column and one row as an example. */
export function importTemplate(): CsvFile {
  const cells = Object.fromEntries(
    columns.map(([name]) => [name, (row: typeof example) => row[name] ?? null] as const),
  );
  return {
    name: 'packages-to-import.csv',
    chunks: () => csvOf(cells, (row) => row, once([example])),
  };
}

// oxlint-disable-next-line require-await
async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
