import type { MapState, MapUpload, MapUploadState } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export interface MapUploadRow {
  id: string;
  name: string;
  /** A bigint, in bytes. */
  size: string;
  /** `stored`: the map has it, and nobody has been told yet. */
  state: MapUploadState | 'stored';
  step: MapUpload['step'];
  progress: number;
  failure: string | null;
  replaced: string | null;
  created_by: string;
  created_at: Date;
  ended_at: Date | null;
  attempts: number;
}

const columns = 'id, name, size, state, step, progress, failure, replaced, created_by, created_at, ended_at, attempts';

/** With what is shown of it beside its own columns. */
export interface ShownUploadRow extends MapUploadRow {
  received: string;
  is_stalled: boolean;
  by: string | null;
}

/** An upload that nothing has arrived of for so long may be taken the place of. */
const stalledSeconds = 60;

const shown = `${columns},
  (select coalesce(sum(length(data)), 0) from map_upload_parts where upload_id = map_uploads.id)::bigint as received,
  state = 'uploading' and received_at < now() - make_interval(secs => ${stalledSeconds}) as is_stalled,
  (select name from users where users.id = map_uploads.created_by and users.deleted_at is null) as by`;

export async function findNewestUpload(db: Queryable): Promise<ShownUploadRow | null> {
  const [row] = await db.query<ShownUploadRow>(
    `select ${shown} from map_uploads order by created_at desc, id desc limit 1`,
  );
  return row ?? null;
}

export async function findUpload(db: Queryable, id: string): Promise<ShownUploadRow | null> {
  const [row] = await db.query<ShownUploadRow>(`select ${shown} from map_uploads where id = $1`, [id]);
  return row ?? null;
}

export async function lockUpload(tx: Tx, id: string): Promise<MapUploadRow | null> {
  const [row] = await tx.query<MapUploadRow>(`select ${columns} from map_uploads where id = $1 for update`, [id]);
  return row ?? null;
}

/** The one that is neither over nor stalled. */
export async function findActiveUpload(db: Queryable): Promise<MapUploadRow | null> {
  const [row] = await db.query<MapUploadRow>(
    `select ${columns} from map_uploads where state in ('waiting', 'importing', 'stored')
       or state = 'uploading' and received_at >= now() - make_interval(secs => ${stalledSeconds})`,
  );
  return row ?? null;
}

/** @throws a violation of `map_uploads_one` while another one is active */
export async function insertUpload(
  tx: Tx,
  upload: { id: string; name: string; size: number; createdBy: string; at: Date },
): Promise<void> {
  await tx.query('insert into map_uploads (id, name, size, created_by, created_at) values ($1, $2, $3, $4, $5)', [
    upload.id,
    upload.name,
    upload.size,
    upload.createdBy,
    upload.at,
  ]);
}

export async function storePart(tx: Tx, id: string, part: number, data: Buffer): Promise<void> {
  await tx.query(
    `insert into map_upload_parts (upload_id, part, data) values ($1, $2, $3)
     on conflict (upload_id, part) do update set data = excluded.data`,
    [id, part, data],
  );
  await tx.query('update map_uploads set received_at = now() where id = $1', [id]);
}

/** All of its parts, in order, each as it is read. */
export async function findPart(db: Queryable, id: string, part: number): Promise<Buffer | null> {
  const [row] = await db.query<{ data: Buffer }>(
    'select data from map_upload_parts where upload_id = $1 and part = $2',
    [id, part],
  );
  return row?.data ?? null;
}

export async function setUploadState(tx: Tx, id: string, state: 'waiting' | 'done'): Promise<void> {
  await tx.query(
    `update map_uploads set state = $2, lease_until = null, ended_at = case when $2 = 'done' then now() end where id = $1`,
    [id, state],
  );
}

/** Ends an upload without a map, and removes what has arrived. @returns false if it was over, or the map has it */
export async function giveUp(
  tx: Tx,
  id: string,
  state: 'failed' | 'cancelled',
  failure: string | null,
): Promise<boolean> {
  const ended = await tx.query(
    `update map_uploads set state = $2, failure = $3, ended_at = now(), lease_until = null
     where id = $1 and state in ('uploading', 'waiting', 'importing') returning id`,
    [id, state, failure],
  );
  if (ended.length === 0) return false;
  await removeParts(tx, id);
  return true;
}

export const removeParts = (db: Queryable, id: string): Promise<unknown> =>
  db.query('delete from map_upload_parts where upload_id = $1', [id]);

/** Uploads that nothing arrives of any more. @returns their ids */
export async function findStalled(tx: Tx, seconds: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from map_uploads where state = 'uploading' and received_at < now() - make_interval(secs => $1) for update`,
    [seconds],
  );
  return rows.map(({ id }) => id);
}

export const findStalledForBegin = (tx: Tx): Promise<string[]> => findStalled(tx, stalledSeconds);

/** All but the newest ones. */
export const removeOldUploads = (tx: Tx, kept: number): Promise<unknown> =>
  tx.query(
    `delete from map_uploads where ended_at is not null
       and id not in (select id from map_uploads order by created_at desc, id desc limit $1)`,
    [kept],
  );

/** Takes the upload that waits, or whose server has died. @returns it, with the number of this attempt */
export async function claimUpload(db: Queryable, leaseSeconds: number): Promise<MapUploadRow | null> {
  const [row] = await db.query<MapUploadRow>(
    `update map_uploads set state = 'importing', step = null, progress = 0, attempts = attempts + 1,
       lease_until = now() + make_interval(secs => $1)
     where id = (
       select id from map_uploads where state = 'waiting' or state = 'importing' and lease_until < now()
       order by created_at limit 1 for update skip locked
     ) returning ${columns}`,
    [leaseSeconds],
  );
  return row ?? null;
}

/** Renews the lease, with how far it is. @returns false if it was cancelled, or another server has it */
export async function renewUpload(
  db: Queryable,
  { id, attempts }: MapUploadRow,
  leaseSeconds: number,
  { step, progress }: Pick<MapUpload, 'step' | 'progress'>,
): Promise<boolean> {
  const rows = await db.query(
    `update map_uploads set step = $4, progress = $5, lease_until = now() + make_interval(secs => $3)
     where id = $1 and attempts = $2 and state = 'importing' returning id`,
    [id, attempts, leaseSeconds, step, progress],
  );
  return rows.length > 0;
}

/** The import is left to the next server. */
export async function releaseUpload(db: Queryable, { id, attempts }: MapUploadRow): Promise<void> {
  await db.query(
    `update map_uploads set state = 'waiting', attempts = attempts - 1, lease_until = null
     where id = $1 and attempts = $2 and state = 'importing'`,
    [id, attempts],
  );
}

/** In the transaction that makes it the map. @returns false if it was cancelled, or another server has it */
export async function markStored(db: Queryable, { id, attempts }: MapUploadRow): Promise<boolean> {
  const rows = await db.query(
    `update map_uploads set state = 'stored', lease_until = null, replaced = (select name from map_extracts where is_current)
     where id = $1 and attempts = $2 and state = 'importing' returning id`,
    [id, attempts],
  );
  return rows.length > 0;
}

export async function lockStored(tx: Tx): Promise<MapUploadRow | null> {
  const [row] = await tx.query<MapUploadRow>(
    `select ${columns} from map_uploads where state = 'stored' limit 1 for update skip locked`,
  );
  return row ?? null;
}

export interface ExtractRow {
  name: string;
  imported_at: Date;
  west: number;
  south: number;
  east: number;
  north: number;
  ways: number;
  addresses: number;
  crossings: number;
}

export async function findCurrentExtract(db: Queryable): Promise<ExtractRow | null> {
  const [row] = await db.query<ExtractRow>(
    'select name, imported_at, west, south, east, north, ways, addresses, crossings from map_extracts where is_current',
  );
  return row ?? null;
}

export const asExtract = ({ imported_at: importedAt, ...row }: ExtractRow): NonNullable<MapState['extract']> => ({
  ...row,
  importedAt: importedAt.toISOString(),
});

export const asMapUpload = (row: ShownUploadRow): MapUpload => ({
  id: row.id,
  name: row.name,
  size: Number(row.size),
  received: row.state === 'uploading' ? Number(row.received) : Number(row.size),
  // To tell somebody is the last step of an import.
  state: row.state === 'stored' ? 'importing' : row.state,
  isStalled: row.is_stalled,
  step: row.step,
  progress: row.progress,
  failure: row.failure,
  by: row.by,
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
});
