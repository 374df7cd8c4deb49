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

/** Uploads of this user that nothing shows yet. */
export async function countWaiting(db: Queryable, ownerId: string): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    'select count(*) as total from images where owner_id = $1 and kept_by is null',
    [ownerId],
  );
  return Number(row?.total ?? 0);
}

/** The image, if the user uploaded it or the keeper shows it already. */
export async function findImage(
  db: Queryable,
  name: string,
  ownerId: string,
  keeper: string,
): Promise<ImageRow | null> {
  const [row] = await db.query<ImageRow>(
    'select name, type, size, folder from images where name = $1 and (owner_id = $2 or kept_by = $3)',
    [name, ownerId, keeper],
  );
  return row ?? null;
}

/** An upload that can be worked on: neither is it in a folder, nor has it been taken back. */
const isWaiting = "folder is null and since > '-infinity'";

/** Somebody works on it now, so it is no orphan for another day. @returns whether it is still to be worked on */
export async function touchUpload(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query(`update images set since = now() where name = $1 and ${isWaiting} returning name`, [
    name,
  ]);
  return rows.length > 0;
}

export async function findFolder(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ folder: string | null }>('select folder from images where name = $1', [name]);
  return row?.folder ?? null;
}

/** From now on only signed addresses show them; where their files lie follows. */
export const withdrawAttachments = (tx: Tx, keeper: string): Promise<object[]> =>
  tx.query('update images set withdrawn = true where kept_by = $1', [keeper]);

export async function isWithdrawn(db: Queryable, name: string): Promise<boolean> {
  return (await db.query('select from images where name = $1 and withdrawn', [name])).length > 0;
}

/** Withdrawn, and still in the public folder. */
const isToMove = "withdrawn and folder = 'packages'";

export const listToMove = (db: Queryable): Promise<{ name: string }[]> =>
  db.query<{ name: string }>(`select name from images where ${isToMove} order by name limit 100`);

export async function countToMove(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: string }>(`select count(*) as total from images where ${isToMove}`);
  return Number(row?.total ?? 0);
}

export const setMoved = (db: Queryable, name: string): Promise<object[]> =>
  db.query(`update images set folder = 'withdrawn' where name = $1 and ${isToMove}`, [name]);

/** @returns whether it lies there now: another request may have put it elsewhere, or removed it */
export async function setFolder(db: Queryable, name: string, folder: string): Promise<boolean> {
  await db.query(`update images set folder = $2 where name = $1 and ${isWaiting}`, [name, folder]);
  return (await findFolder(db, name)) === folder;
}

/** @returns how many of them the keeper now has */
export async function setAttachment(tx: Tx, names: string[], ownerId: string, keeper: string): Promise<number> {
  const rows = await tx.query(
    `update images set kept_by = $3
     where name = any($1) and folder is not null and (kept_by = $3 or (kept_by is null and owner_id = $2)) returning name`,
    [names, ownerId, keeper],
  );
  return rows.length;
}

/** Lets go of what the keeper showed beside these. */
export const clearOtherAttachments = (tx: Tx, keeper: string, except: string[]): Promise<object[]> =>
  tx.query('update images set kept_by = null, since = now() where kept_by = $1 and name <> all($2)', [keeper, except]);

export const expireAttachments = (tx: Tx, keeper: string): Promise<object[]> =>
  tx.query("update images set kept_by = null, since = '-infinity' where kept_by = $1", [keeper]);

export const expireUploads = (tx: Tx, ownerId: string): Promise<object[]> =>
  tx.query("update images set since = '-infinity' where owner_id = $1 and kept_by is null", [ownerId]);

const isOrphan = "kept_by is null and since < now() - interval '24 hours'";

export const listOrphans = (db: Queryable): Promise<Pick<ImageRow, 'name' | 'folder'>[]> =>
  db.query<Pick<ImageRow, 'name' | 'folder'>>(`select name, folder from images where ${isOrphan} limit 100`);

/** All of them, to count. */
export const listOrphanNames = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ name: string }>(`select name from images where ${isOrphan}`)).map(({ name }) => name);

const take = `update images set folder = null, since = '-infinity' where name = $1`;

/** Takes the image back if nothing shows it: from now on nothing can begin to, and what is not removed now is found again. */
export async function reserveForDeletion(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(`${take} and kept_by is null returning name`, [name])).length > 0;
}

/** The same if it still is an orphan: somebody may have begun to work on it since it was listed. */
export async function lockOrphan(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(`${take} and ${isOrphan} returning name`, [name])).length > 0;
}

/** Whether there is an upload of this name that is used by nobody yet: its file goes with it, and not before. */
export async function isUnused(db: Queryable, name: string): Promise<boolean> {
  return (await db.query('select from images where name = $1 and folder is null', [name])).length > 0;
}

export const deleteTaken = (db: Queryable, name: string): Promise<object[]> =>
  db.query('delete from images where name = $1 and folder is null', [name]);
