import type { Queryable, Tx } from '../platform/database/db.ts';

export interface ImageRow {
  name: string;
  type: string;
  size: number;
  folder: string | null;
}

export async function insertImage(
  db: Queryable,
  image: { name: string; ownerId: string; type: string; size: number },
): Promise<void> {
  await db.query('insert into images (name, owner_id, type, size) values ($1, $2, $3, $4)', [
    image.name,
    image.ownerId,
    image.type,
    image.size,
  ]);
}

/** The number of this user's uploads that are attached to nothing. */
export async function countUnusedUploads(db: Queryable, ownerId: string): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    'select count(*) as total from images where owner_id = $1 and kept_by is null',
    [ownerId],
  );
  return Number(row?.total ?? 0);
}

/** The image, if the user uploaded it or it is already attached to `attachedTo`. */
export async function findImage(
  db: Queryable,
  name: string,
  ownerId: string,
  attachedTo: string,
): Promise<ImageRow | null> {
  const [row] = await db.query<ImageRow>(
    'select name, type, size, folder from images where name = $1 and (owner_id = $2 or kept_by = $3)',
    [name, ownerId, attachedTo],
  );
  return row ?? null;
}

/** An upload that can still be re-encoded: it is in no folder yet, and not reserved for deletion. */
const isPending = "folder is null and since > '-infinity'";

/** Postpones the clean-up by a day while the upload is being re-encoded. @returns whether it is still pending */
export async function touchUpload(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query(`update images set since = now() where name = $1 and ${isPending} returning name`, [
    name,
  ]);
  return rows.length > 0;
}

export async function findFolder(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ folder: string | null }>('select folder from images where name = $1', [name]);
  return row?.folder ?? null;
}

/** From now on only signed URLs work for them; a job moves the files later. */
export const withdrawAttachments = (tx: Tx, attachedTo: string): Promise<object[]> =>
  tx.query('update images set withdrawn = true where kept_by = $1', [attachedTo]);

export async function isWithdrawn(db: Queryable, name: string): Promise<boolean> {
  return (await db.query('select from images where name = $1 and withdrawn', [name])).length > 0;
}

/** Withdrawn, and still in the public folder. */
const isToMove = "withdrawn and folder = 'packages'";

export const listImagesToMove = (db: Queryable): Promise<{ name: string }[]> =>
  db.query<{ name: string }>(`select name from images where ${isToMove} order by name limit 100`);

export async function countImagesToMove(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: string }>(`select count(*) as total from images where ${isToMove}`);
  return Number(row?.total ?? 0);
}

export const setMoved = (db: Queryable, name: string): Promise<object[]> =>
  db.query(`update images set folder = 'withdrawn' where name = $1 and ${isToMove}`, [name]);

/** @returns whether it is in this folder now: another request may have put it into another one, or removed it */
export async function setFolder(db: Queryable, name: string, folder: string): Promise<boolean> {
  await db.query(`update images set folder = $2 where name = $1 and ${isPending}`, [name, folder]);
  return (await findFolder(db, name)) === folder;
}

/** @returns how many of them are attached now */
export async function setAttachment(tx: Tx, names: string[], ownerId: string, attachedTo: string): Promise<number> {
  const rows = await tx.query(
    `update images set kept_by = $3
     where name = any($1) and folder is not null and (kept_by = $3 or (kept_by is null and owner_id = $2)) returning name`,
    [names, ownerId, attachedTo],
  );
  return rows.length;
}

/** Detaches all other images of `attachedTo`. */
export const clearOtherAttachments = (tx: Tx, attachedTo: string, except: string[]): Promise<object[]> =>
  tx.query('update images set kept_by = null, since = now() where kept_by = $1 and name <> all($2)', [
    attachedTo,
    except,
  ]);

export const expireAttachments = (tx: Tx, attachedTo: string): Promise<object[]> =>
  tx.query("update images set kept_by = null, since = '-infinity' where kept_by = $1", [attachedTo]);

export const expireUploads = (tx: Tx, ownerId: string): Promise<object[]> =>
  tx.query("update images set since = '-infinity' where owner_id = $1 and kept_by is null", [ownerId]);

const isOrphan = "kept_by is null and since < now() - interval '24 hours'";

export const listOrphans = (db: Queryable): Promise<Pick<ImageRow, 'name' | 'folder'>[]> =>
  db.query<Pick<ImageRow, 'name' | 'folder'>>(`select name, folder from images where ${isOrphan} limit 100`);

/** Without a limit, for counting. */
export const listOrphanNames = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ name: string }>(`select name from images where ${isOrphan}`)).map(({ name }) => name);

const reserve = `update images set folder = null, since = '-infinity' where name = $1`;

/**
 * Reserves an unattached image for deletion: it can no longer be attached, and if the deletion is interrupted the row is an orphan
 * that the next clean-up finds. @returns whether it was unattached
 */
export async function reserveForDeletion(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(`${reserve} and kept_by is null returning name`, [name])).length > 0;
}

/** Like `reserveForDeletion`, if it still is an orphan: a request may have started to re-encode it since it was listed. */
export async function lockOrphan(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(`${reserve} and ${isOrphan} returning name`, [name])).length > 0;
}

/** Whether a row of an unused upload has this name. Its file is removed with the row, not before. */
export async function isUnused(db: Queryable, name: string): Promise<boolean> {
  return (await db.query('select from images where name = $1 and folder is null', [name])).length > 0;
}

export const deleteReserved = (db: Queryable, name: string): Promise<object[]> =>
  db.query('delete from images where name = $1 and folder is null', [name]);
