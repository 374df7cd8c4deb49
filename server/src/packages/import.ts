import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { generateTrackingId, maxImportRows, type Import, type ImportQuery } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { readTable } from '../platform/csv/csv-records.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { requireActive } from '../users/service.ts';
import { referenceExists } from './import-duplicates.ts';
import { asNewRows, createNewPackages, storeCreated, type Created } from './content-queries.ts';
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
import { readRows } from './import-rows.ts';
import { isTaken, trackingIdTaken } from './package-errors.ts';
import { findReferences, takenReferences, takenTrackingIds } from './queries.ts';

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
  const rows = await checkRows(ctx, actor, readRows(table, layout));
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
  let batch = prepareBatch(ctx, rows, earlier?.done ?? 0);
  while (batch.rows.length > 0) {
    const present = batch;
    // One batch ahead: the next one is prepared while the database works on this one.
    const next = nextTurn().then(() => prepareBatch(ctx, rows, present.done + present.rows.length));
    [batch] = await Promise.all([next, importBatch(ctx, actor, id, present)]);
  }
  return readImport(ctx, actor, id);
}

/** Rows to create, with their packages in the form that the database takes. */
interface Drafts {
  at: Date;
  rows: { id: string; row: CheckedRow }[];
  json: string;
}

/** Rows of one transaction. */
interface Batch {
  /** Number of rows before it. */
  done: number;
  rows: CheckedRow[];
  drafts: Drafts;
}

function prepareBatch(ctx: Ctx, all: CheckedRow[], done: number): Batch {
  const rows = all.slice(done, done + batchSize);
  const wanted = rows.filter(({ input, skip }) => input !== null && skip === null);
  return { done, rows, drafts: asDrafts(wanted, ctx.now(), done) };
}

/** @param seq where the rows begin in the file: keeps its order among packages with the same timestamp */
function asDrafts(rows: CheckedRow[], at: Date, seq: number): Drafts {
  const packages = rows.map(({ input }, index) => {
    if (!input) throw new Error('a row without content cannot be created');
    const id = uuid({ msecs: at.getTime(), seq: seq + index });
    return { id, trackingId: input.trackingId ?? generateTrackingId(), content: asContent(input, []) };
  });
  const ofRows = rows.map((row, index) => ({ row, id: packages[index]?.id ?? '' }));
  return { at, rows: ofRows, json: asNewRows(packages) };
}

async function importBatch(ctx: Ctx, actor: Actor, id: string, batch: Batch): Promise<void> {
  for (let refused: CheckedRow[] = []; ;) {
    try {
      return await tryBatch(ctx, actor, id, batch, refused);
    } catch (error) {
      if (!isTaken(error)) throw error;
      // The directories refused the whole batch, as they do where packages are distributed: what is taken is left out.
      const wanted = batch.rows.filter(({ input, skip }) => input !== null && skip === null);
      refused = await whatIsTaken(ctx, actor, wanted);
      const others = new Set(refused);
      batch = {
        ...batch,
        drafts: asDrafts(
          wanted.filter((row) => !others.has(row)),
          ctx.now(),
          batch.done,
        ),
      };
    }
  }
}

async function whatIsTaken({ db }: Ctx, actor: Actor, rows: CheckedRow[]): Promise<CheckedRow[]> {
  const [references, trackingIds] = await Promise.all([
    takenReferences(
      db,
      actor.id,
      rows.flatMap(({ input }) => input?.reference ?? []),
    ),
    takenTrackingIds(
      db,
      rows.flatMap(({ input }) => input?.trackingId ?? []),
    ),
  ]);
  return rows.filter(({ input }) => references.has(input?.reference ?? '') || trackingIds.has(input?.trackingId ?? ''));
}

/** @param taken rows of the batch that `drafts` leave out */
async function tryBatch(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { done, rows, drafts }: Batch,
  taken: CheckedRow[],
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Pipeline both. Stop here if the owner was suspended meanwhile, which rolls the insert back. The import can resume from this batch
    // once the account is active again.
    const [, refused] = await Promise.all([requireActive(tx, actor.id), createPackages(ctx, tx, actor, drafts, taken)]);
    const faults = rows.flatMap(({ line, input, faults: fields, skip }) => (input || skip ? [] : [{ line, fields }]));
    faults.push(...refused.faults);
    const skips = rows.flatMap(({ skip }) => skip ?? []);
    skips.push(...refused.skips);
    const [failed, skipped] = [faults.length, skips.length];
    // All sent together: the database goes from one statement to the next without waiting for this process.
    const [moved] = await Promise.all([
      setProgress(tx, id, done, { created: rows.length - failed - skipped, failed, skipped }),
      ...refused.created.map((created) => storeCreated(tx, created)),
      recordProgress(ctx, tx, actor, id),
    ]);
    // Happens only if the connection that holds the lock was lost and the same file was sent again meanwhile.
    if (!moved) throw stillRunning();
    if (failed > 0) await insertFaults(tx, id, faults);
    if (skipped > 0) await insertSkips(tx, id, skips);
  });
}

/**
 * @param left rows that are known to be taken, so `drafts` do not have them
 * @returns what was created and is still to be stored (`storeCreated`), faults for rows whose tracking ID is taken, and skips for rows
 * whose reference was taken since the file was checked
 */
async function createPackages(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  drafts: Drafts,
  left: CheckedRow[],
): Promise<{ created: Created[]; faults: RowFault[]; skips: RowSkip[] }> {
  const created: Created[] = [];
  const faults: RowFault[] = [];
  const skips: RowSkip[] = [];
  for (let refused = left; drafts.rows.length > 0 || refused.length > 0; refused = []) {
    if (drafts.rows.length > 0) {
      const inserted = await createNewPackages(tx, actor.id, drafts.at, drafts.json);
      created.push(inserted);
      const ids = new Set(inserted.ids);
      refused = [...refused, ...drafts.rows.flatMap(({ id, row }) => (ids.has(id) ? [] : [row]))];
    }
    const references = refused.flatMap(({ input }) => input?.reference ?? []);
    const taken = references.length > 0 ? await takenAnywhere(tx, actor.id, references) : new Set<string>();
    const wanted: CheckedRow[] = [];
    for (const row of refused) {
      const reference = row.input?.reference ?? '';
      if (taken.has(reference)) skips.push({ line: row.line, reason: referenceExists(reference), unshipped: false });
      else if (row.input?.trackingId) faults.push({ line: row.line, fields: trackingIdTaken });
      // A generated tracking ID collided: try again with a new one.
      else wanted.push(row);
    }
    drafts = asDrafts(wanted, ctx.now(), 0);
  }
  return { created, faults, skips };
}

/** By the packages or by the directory, whichever has refused them. */
async function takenAnywhere(tx: Tx, ownerId: string, references: string[]): Promise<Set<string>> {
  const found = await Promise.all([findReferences, takenReferences].map((find) => find(tx, ownerId, references)));
  return new Set(found.flatMap((some) => [...some]));
}

const recordProgress = (ctx: Ctx, tx: Tx, actor: Actor, importId: string) =>
  record(tx, { type: 'import.progressed', at: ctx.now(), actorId: actor.id, userId: actor.id, importId });
