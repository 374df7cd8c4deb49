import { createHash } from 'node:crypto';
import {
  drawTrackingId,
  mostImportRows,
  type Import,
  type ImportMapping,
  type ImportPreview,
  type ImportProgress,
  type PageQuery,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { z } from 'zod';
import type { Ctx } from '../ctx.ts';
import { record, recordAll } from '../events/record.ts';
import type { Tx } from '../platform/db.ts';
import { readTable } from '../platform/csv-records.ts';
import { AppError, notFound, unavailable } from '../platform/errors.ts';
import { pageOf, type Listed } from '../platform/http.ts';
import type { Actor } from '../platform/sessions.ts';
import { requireActive } from '../users/service.ts';
import { findThere, referenceIsThere } from './already-there.ts';
import { asContent } from './content.ts';
import { insertPackages, type NewPackage } from './content-queries.ts';
import { ignoredOf, missingOf, readHeader, refuseHeader } from './import-mapping.ts';
import {
  asProgress,
  asReport,
  countImports,
  findImport,
  findImportToRepeat,
  importLock,
  insertFaults,
  insertImport,
  insertSkips,
  listFaults,
  listImportRows,
  listSkips,
  setProgress,
  setStarted,
  type ImportRow,
  type RowFault,
  type RowSkip,
} from './import-queries.ts';
import { columnOf, readRows, type Row } from './import-rows.ts';
import { trackingIdTaken } from './package-errors.ts';
import { packageEvent } from './package-event.ts';
import { faultsOfPast } from './past.ts';
import { takenReferences } from './queries.ts';

/** Packages, their events and how far the import has come are committed together, so many rows at a time. */
const batchSize = 250;

/** Imports and previews at once in one process: each keeps its file in memory and the database busy. */
const mostAtOnce = 2;
let underWay = 0;

/** A row of the file, and why it is left out where its package is there already. */
interface Found extends Row {
  there: string | null;
}

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= mostAtOnce) throw unavailable(5);
  underWay++;
  try {
    return await work();
  } finally {
    underWay--;
  }
}

/**
 * Creates a package for each good row and reports each bad one. Rows whose package is there already are left out, so the same file
 * again, whole or mended, makes nothing twice.
 *
 * The same Idempotency-Key answers the first report; an import that was broken off goes on behind its last committed batch.
 * @throws invalid when the file cannot be read: then nothing was made
 */
export const importPackages = (
  ctx: Ctx,
  actor: Actor,
  file: Buffer,
  mapping: ImportMapping | null,
  key: string | null,
): Promise<Import> =>
  oneOfFew(async () => {
    const work = () => importAlone(ctx, actor, file, mapping, key);
    const report = await ctx.longRunning.alone(importLock(actor.id), work);
    if (!report) throw stillRunning();
    return report;
  });

const stillRunning = () =>
  new AppError('still_running', 'Another import of yours is still running. Please wait until it has finished.');

const tooManyRows = 'Too many rows were imported within the hour. Please try the rest later.';

async function importAlone(
  ctx: Ctx,
  actor: Actor,
  file: Buffer,
  mapping: ImportMapping | null,
  key: string | null,
): Promise<Import> {
  const fileHash = createHash('sha256')
    .update(file)
    .update(mapping ? JSON.stringify(mapping) : '')
    .digest();
  const earlier = await findImportToRepeat(ctx.db, actor.id, fileHash, key);
  if (earlier && !earlier.file_hash.equals(fileHash)) {
    throw new AppError('key_reused', 'This Idempotency-Key was used for another file');
  }
  if (earlier?.finished_at) return readImport(ctx, actor, earlier.id);
  const table = await readTable(file, mostImportRows);
  const reading = readHeader(table.header, mapping);
  refuseHeader(table.header, reading);
  const rows = await findRows(ctx, actor, await readRows(table, reading));
  const points = rows.filter(({ there }) => there === null).length;
  // One that goes on was counted when it began.
  if (!earlier && points > 0) await ctx.rateLimits.take('importRows', actor.id, { points, message: tooManyRows });
  const id = earlier?.id ?? uuid();
  const ignoredColumns = ignoredOf(table.header, reading);
  await ctx.db.transaction(async (tx) => {
    await requireActive(tx, actor.id);
    if (earlier) await setStarted(tx, id);
    else await insertImport(tx, { id, ownerId: actor.id, fileHash, key, total: rows.length, ignoredColumns });
    await tellProgress(ctx, tx, actor, id);
  });
  for (let done = earlier?.done ?? 0; done < rows.length; done += batchSize) {
    await importBatch(ctx, actor, id, done, rows.slice(done, done + batchSize));
  }
  return readImport(ctx, actor, id);
}

async function findRows(ctx: Ctx, actor: Actor, rows: Row[]): Promise<Found[]> {
  const there = await findThere(
    ctx.db,
    actor.id,
    rows.map(({ input }) => input),
  );
  const now = ctx.now();
  return rows.map((row, index) => {
    const reason = there[index] ?? null;
    // What is there was in time when it was registered.
    const past = row.input && reason === null ? Object.entries(faultsOfPast(asContent(row.input, []), now)) : [];
    if (past.length === 0) return { ...row, there: reason };
    const faults = Object.fromEntries(past.map(([path, message]) => [columnOf(path), message]));
    return { ...row, input: null, faults, there: null };
  });
}

const tooManyPreviews = 'Too many rows were looked at within the hour. Please try again later.';

/** What an import of this file would make, by the same reading of it. */
export const previewImport = (
  ctx: Ctx,
  actor: Actor,
  file: Buffer,
  mapping: ImportMapping | null,
): Promise<ImportPreview> =>
  oneOfFew(async () => {
    const table = await readTable(file, mostImportRows);
    const { header, records } = table;
    const reading = readHeader(header, mapping);
    await ctx.rateLimits.take('previewRows', actor.id, { points: records.length, message: tooManyPreviews });
    const missing = missingOf(reading);
    const rows = missing.length > 0 ? [] : await findRows(ctx, actor, await readRows(table, reading));
    const faulty = rows.filter(({ input }) => input === null);
    const skipped = rows.flatMap(({ line, there }) => (there === null ? [] : [{ line, reason: there }]));
    return {
      format: reading.format,
      columns: header.map((name, index) => ({
        name,
        target: reading.targets[index] ?? null,
        samples: samplesOf(records.map(({ cells }) => cells[index] ?? '')),
      })),
      constants: reading.constants,
      missing,
      ignoredColumns: ignoredOf(header, reading),
      total: rows.length,
      created: rows.length - faulty.length - skipped.length,
      failed: faulty.length,
      skipped: skipped.length,
      errors: faulty.map(({ line, faults, cells }) => ({
        line,
        reason: Object.values(faults).join('; '),
        fields: faults,
        cells,
      })),
      skippedRows: skipped,
    };
  });

const samplesOf = (values: string[]): string[] =>
  [...new Set(values.slice(0, 200).map((value) => value.trim()))]
    .filter((value) => value !== '')
    .slice(0, 3)
    .map((value) => value.slice(0, 80));

async function importBatch(ctx: Ctx, actor: Actor, id: string, done: number, rows: Found[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Whoever is suspended meanwhile gets no further, and goes on from here when active again.
    await requireActive(tx, actor.id);
    const left = await createPackages(ctx, tx, actor, rows);
    const faults = rows.flatMap(({ line, input, faults: fields }) => (input ? [] : [{ line, fields }]));
    faults.push(...left.faults);
    const skips = rows.flatMap(({ line, there }) => (there === null ? [] : [{ line, reason: there }]));
    skips.push(...left.skips);
    if (faults.length > 0) await insertFaults(tx, id, faults);
    if (skips.length > 0) await insertSkips(tx, id, skips);
    const [failed, skipped] = [faults.length, skips.length];
    const moved = await setProgress(tx, id, done, { created: rows.length - failed - skipped, failed, skipped });
    // Only when the connection that holds the lock was lost, and the same file sent again meanwhile.
    if (!moved) throw stillRunning();
    await tellProgress(ctx, tx, actor, id);
  });
}

/** @returns the rows whose tracking ID is taken, and those whose reference somebody has taken since the file was read */
async function createPackages(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  rows: Found[],
): Promise<{ faults: RowFault[]; skips: RowSkip[] }> {
  const at = ctx.now();
  const faults: RowFault[] = [];
  const skips: RowSkip[] = [];
  let wanted: Found[] = rows.filter(({ input, there }) => input !== null && there === null);
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
    const taken = references.length > 0 ? await takenReferences(tx, actor.id, references) : new Set<string>();
    wanted = [];
    for (const row of refused) {
      const reference = row.input?.reference ?? '';
      if (taken.has(reference)) skips.push({ line: row.line, reason: referenceIsThere(reference) });
      else if (row.input?.trackingId) faults.push({ line: row.line, fields: trackingIdTaken });
      // A drawn one that is taken is drawn again.
      else wanted.push(row);
    }
  }
  return { faults, skips };
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
  const [faults, skips] = [await listFaults(ctx.db, id), await listSkips(ctx.db, id)];
  return asReport(row, faults, skips);
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
