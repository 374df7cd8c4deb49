import type { Import, ImportProgress } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { countRows, type Count } from '../platform/database/keyset-lists.ts';
import type { Content } from './content.ts';
import { hashedColumnNames } from './content-columns.ts';
import { contentHash, contentTypes, withContent } from './content-queries.ts';
import { isAdvisoryLockHeld } from '../platform/database/cursors-and-locks.ts';

export interface ImportRow {
  id: string;
  file_hash: Buffer;
  total: number;
  done: number;
  created: number;
  failed: number;
  skipped: number;
  ignored_columns: string[];
  created_at: Date;
  finished_at: Date | null;
  /** Whether a process is working on it. */
  under_way: boolean;
}

/** A rejected row of the file, with its faults: field -> message. */
export interface RowFault {
  line: number;
  fields: Record<string, string>;
}

/** A skipped row of the file: its package exists already, or the order has nothing to ship (`unshipped`). */
export interface RowSkip {
  line: number;
  reason: string;
  unshipped: boolean;
}

/** The name of the advisory lock that limits an owner to one running import. */
export const importLock = (ownerId: string) => `import of ${ownerId}`;

/** $1: the owner; $2: the owner's lock name. The lock is per owner, so of several unfinished imports only the last started can be running. */
const select = `select i.id, i.file_hash, i.total, i.done, i.created, i.failed, i.skipped, i.ignored_columns, i.created_at, i.finished_at,
    i.finished_at is null and ${isAdvisoryLockHeld('$2')} and not exists (
      select from package_imports o where o.owner_id = i.owner_id and o.started_at > i.started_at) as under_way
  from package_imports i where i.owner_id = $1`;

export function asProgress(row: ImportRow): ImportProgress {
  return {
    id: row.id,
    status: row.finished_at ? 'finished' : row.under_way ? 'running' : 'interrupted',
    total: row.total,
    done: row.done,
    created: row.created,
    failed: row.failed,
    skipped: row.skipped,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export const asReport = (row: ImportRow, faults: RowFault[], skips: RowSkip[]): Import => ({
  ...asProgress(row),
  errors: faults.map(({ line, fields }) => ({ line, reason: Object.values(fields).join('; '), fields })),
  skippedRows: skips,
  ignoredColumns: row.ignored_columns,
});

export async function findImport(db: Queryable, ownerId: string, id: string): Promise<ImportRow | null> {
  const [row] = await db.query<ImportRow>(`${select} and i.id = $3`, [ownerId, importLock(ownerId), id]);
  return row ?? null;
}

export const listImportRows = (db: Queryable, ownerId: string, before: string | null, limit: number) =>
  db.query<ImportRow>(`${select} and ($3::uuid is null or i.id < $3) order by i.id desc limit $4`, [
    ownerId,
    importLock(ownerId),
    before,
    limit,
  ]);

export const countImports = (db: Queryable, ownerId: string): Promise<Count> =>
  countRows(db, 'package_imports where owner_id = $1', [ownerId]);

/** Returns the import of the last 7 days that this request repeats: the one with its idempotency key, else an interrupted one of the same file. */
export async function findImportToRepeat(
  db: Queryable,
  ownerId: string,
  fileHash: Buffer,
  key: string | null,
): Promise<ImportRow | null> {
  const [row] = await db.query<ImportRow>(
    `${select} and i.created_at > now() - interval '7 days'
       and (i.key = $4 or i.file_hash = $3 and i.finished_at is null)
     order by i.key is not distinct from $4 desc, i.id desc limit 1`,
    [ownerId, importLock(ownerId), fileHash, key],
  );
  return row ?? null;
}

export const insertImport = (
  tx: Tx,
  {
    id,
    ownerId,
    fileHash,
    key,
    total,
    ignoredColumns,
  }: { id: string; ownerId: string; fileHash: Buffer; key: string | null; total: number; ignoredColumns: string[] },
) =>
  tx.query(
    `insert into package_imports (id, owner_id, file_hash, key, total, ignored_columns, created_at, started_at)
     values ($1, $2, $3, $4, $5, $6, now(), now())`,
    [id, ownerId, fileHash, key, total, ignoredColumns],
  );

export const setStarted = (tx: Tx, id: string) =>
  tx.query('update package_imports set started_at = now() where id = $1', [id]);

/** Advances the progress from `done` by a batch. @returns false when another process has advanced it already */
export async function setProgress(
  tx: Tx,
  id: string,
  done: number,
  batch: { created: number; failed: number; skipped: number },
): Promise<boolean> {
  const rows = await tx.query(
    `update package_imports set done = done + $3 + $4 + $5, created = created + $3, failed = failed + $4, skipped = skipped + $5,
       finished_at = case when done + $3 + $4 + $5 = total then now() end
     where id = $1 and done = $2 returning id`,
    [id, done, batch.created, batch.failed, batch.skipped],
  );
  return rows.length === 1;
}

export const insertFaults = (tx: Tx, importId: string, faults: RowFault[]) =>
  tx.query(
    `insert into package_import_errors (import_id, line, fields)
     select $1, line, fields from jsonb_to_recordset($2) as fault (line integer, fields jsonb)`,
    [importId, JSON.stringify(faults)],
  );

export const listFaults = (db: Queryable, importId: string) =>
  db.query<RowFault>('select line, fields from package_import_errors where import_id = $1 order by line', [importId]);

export const insertSkips = (tx: Tx, importId: string, skips: RowSkip[]) =>
  tx.query(
    `insert into package_import_skips (import_id, line, reason, unshipped)
     select $1, line, reason, unshipped from jsonb_to_recordset($2) as skip (line integer, reason text, unshipped boolean)`,
    [importId, JSON.stringify(skips)],
  );

export const listSkips = (db: Queryable, importId: string) =>
  db.query<RowSkip>('select line, reason, unshipped from package_import_skips where import_id = $1 order by line', [
    importId,
  ]);

/** Returns the content hash of each row, in order, computed by the same database function as for packages. */
export async function hashContents(db: Queryable, rows: Content[]): Promise<string[]> {
  const numbered = rows.map((row, seq) => withContent({ seq }, row, hashedColumnNames));
  const [found] = await db.query<{ hashes: string[] }>(
    `select coalesce(json_agg(${contentHash}::text order by seq), '[]') as hashes
     from json_to_recordset($1) as row (${contentTypes}, seq integer)`,
    [JSON.stringify(numbered)],
  );
  return found?.hashes ?? [];
}

const isLive = "owner_id = $1 and status not in ('cancelled', 'inactive')";
const contentHashes = `coalesce(registered_content, ${contentHash}) as registered, ${contentHash} as current`;

/** How many packages of an owner have the same registered and the same current content, both as hashes. */
export interface ContentGroup {
  registered: string;
  current: string;
  count: number;
}

/** Groups the owner's live packages whose current or registered content is one of these hashes. */
export const findByContent = (db: Queryable, ownerId: string, contents: string[]): Promise<ContentGroup[]> =>
  db.query<ContentGroup>(
    `select registered, current, count(*)::int as count from (
       select id, ${contentHashes} from packages where ${isLive} and ${contentHash} = any($2::bigint[])
       union
       select id, ${contentHashes} from packages where ${isLive} and registered_content = any($2::bigint[])
     ) found group by registered, current`,
    [ownerId, contents],
  );

export const findByTrackingId = (
  db: Queryable,
  ownerId: string,
  trackingIds: string[],
): Promise<(ContentGroup & { tracking_id: string })[]> =>
  db.query(`select tracking_id, ${contentHashes}, 1 as count from packages where ${isLive} and tracking_id = any($2)`, [
    ownerId,
    trackingIds,
  ]);
