import { createHash } from 'node:crypto';
import { generateTrackingId, maxImportRows, type Import, type ImportQuery } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record, recordAll } from '../events/record.ts';
import { readTable } from '../platform/csv/csv-records.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { requireActive } from '../users/service.ts';
import { referenceExists } from './import-duplicates.ts';
import { insertPackages, type NewPackage } from './content-queries.ts';
import { asContent } from './content.ts';
import { withImportSlot } from './import-concurrency.ts';
import { checkRows, type CheckedRow } from './import-checks.ts';
import { assertImportable, detectLayout, findIgnoredColumns } from './import-mapping.ts';
import {
  findImportToRepeat,
  importLock,
  insertFaults,
  insertImport,
  insertSkips,
  setProgress,
  setStarted,
  type RowFault,
  type RowSkip,
} from './import-queries.ts';
import { readImport } from './import-reports.ts';
import { readRows, type Row } from './import-rows.ts';
import { trackingIdTaken } from './package-errors.ts';
import { packageEvent } from './package-event.ts';
import { takenReferences } from './queries.ts';

/** Rows per transaction: packages, their events and the import's progress are committed together. */
const batchSize = 250;

/**
 * Creates a package for each valid row and reports each invalid one. Rows whose package exists already are skipped, so importing the
 * same file again, as it was or corrected, creates no duplicates.
 *
 * A repeated Idempotency-Key returns the first report; an interrupted import resumes after its last committed batch.
 * @throws invalid when the file cannot be read; nothing is created then
 */
export const importPackages = (
  ctx: Ctx,
  actor: Actor,
  file: Buffer,
  query: ImportQuery,
  key: string | null,
): Promise<Import> =>
  withImportSlot(async () => {
    const work = () => importLocked(ctx, actor, file, query, key);
    const report = await ctx.longRunning.withAdvisoryLock(importLock(actor.id), work);
    if (!report) throw stillRunning();
    return report;
  });

const stillRunning = () =>
  new AppError('still_running', 'Another import of yours is still running. Please wait until it has finished.');

const tooManyRows = 'Too many rows were imported within the hour. Please try the rest later.';

/** Requires the owner's import lock. */
async function importLocked(
  ctx: Ctx,
  actor: Actor,
  file: Buffer,
  query: ImportQuery,
  key: string | null,
): Promise<Import> {
  const fileHash = createHash('sha256')
    .update(file)
    .update(query.mapping ? JSON.stringify(query.mapping) : '')
    .update(query.everyOrder ? 'every order' : '')
    .digest();
  const earlier = await findImportToRepeat(ctx.db, actor.id, fileHash, key);
  if (earlier && !earlier.file_hash.equals(fileHash)) {
    throw new AppError('key_reused', 'This Idempotency-Key was used for another file');
  }
  if (earlier?.finished_at) return readImport(ctx, actor, earlier.id);
  const table = await readTable(file, maxImportRows);
  const layout = detectLayout(table.header, query);
  assertImportable(table.header, layout);
  const rows = await checkRows(ctx, actor, await readRows(table, layout));
  const points = rows.filter(({ skip }) => skip === null).length;
  // A resumed import was counted when it started.
  if (!earlier && points > 0) await ctx.rateLimits.take('importRows', actor.id, { points, message: tooManyRows });
  const id = earlier?.id ?? uuid();
  const ignoredColumns = findIgnoredColumns(table.header, layout);
  await ctx.db.transaction(async (tx) => {
    await requireActive(tx, actor.id);
    if (earlier) await setStarted(tx, id);
    else await insertImport(tx, { id, ownerId: actor.id, fileHash, key, total: rows.length, ignoredColumns });
    await recordProgress(ctx, tx, actor, id);
  });
  for (let done = earlier?.done ?? 0; done < rows.length; done += batchSize) {
    await importBatch(ctx, actor, id, done, rows.slice(done, done + batchSize));
  }
  return readImport(ctx, actor, id);
}

async function importBatch(ctx: Ctx, actor: Actor, id: string, done: number, rows: CheckedRow[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Stop here if the owner was suspended meanwhile. The import can resume from this batch once the account is active again.
    await requireActive(tx, actor.id);
    const refused = await createPackages(ctx, tx, actor, rows);
    const faults = rows.flatMap(({ line, input, faults: fields, skip }) => (input || skip ? [] : [{ line, fields }]));
    faults.push(...refused.faults);
    const skips = rows.flatMap(({ skip }) => skip ?? []);
    skips.push(...refused.skips);
    if (faults.length > 0) await insertFaults(tx, id, faults);
    if (skips.length > 0) await insertSkips(tx, id, skips);
    const [failed, skipped] = [faults.length, skips.length];
    const moved = await setProgress(tx, id, done, { created: rows.length - failed - skipped, failed, skipped });
    // Happens only if the connection that holds the lock was lost and the same file was sent again meanwhile.
    if (!moved) throw stillRunning();
    await recordProgress(ctx, tx, actor, id);
  });
}

/** @returns faults for rows whose tracking ID is taken, and skips for rows whose reference was taken since the file was checked */
async function createPackages(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  rows: CheckedRow[],
): Promise<{ faults: RowFault[]; skips: RowSkip[] }> {
  const at = ctx.now();
  const faults: RowFault[] = [];
  const skips: RowSkip[] = [];
  let wanted: CheckedRow[] = rows.filter(({ input, skip }) => input !== null && skip === null);
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
      if (taken.has(reference)) skips.push({ line: row.line, reason: referenceExists(reference), unshipped: false });
      else if (row.input?.trackingId) faults.push({ line: row.line, fields: trackingIdTaken });
      // A generated tracking ID collided: try again with a new one.
      else wanted.push(row);
    }
  }
  return { faults, skips };
}

const asDraft = ({ input }: Row, ownerId: string, at: Date, seq: number): NewPackage => {
  if (!input) throw new Error('a row without content cannot be created');
  return {
    // Keeps the file's order among packages with the same timestamp.
    id: uuid({ msecs: at.getTime(), seq }),
    ownerId,
    trackingId: input.trackingId ?? generateTrackingId(),
    at,
    content: asContent(input, []),
  };
};

const recordProgress = (ctx: Ctx, tx: Tx, actor: Actor, importId: string) =>
  record(tx, { type: 'import.progressed', at: ctx.now(), actorId: actor.id, userId: actor.id, importId });
