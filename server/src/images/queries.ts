import type { Queryable, Tx } from '../platform/database/db.ts';

/**
 * What becomes of an image. `images.state` says where it is in this order, and `images.since` since when:
 *
 * - `uploading`: announced, and still to be re-encoded from `incoming/` into a folder;
 * - `unused`: re-encoded, and attached to nothing. It and an upload are removed after a day;
 * - `attached`: to a package (`package_id` and `position`) or something else (`attached_to`). Back to `unused` once it is detached;
 * - `removing`: can no longer be used; its files are removed, then its row.
 */
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
  await db.query("insert into images (name, owner_id, type, size, state) values ($1, $2, $3, $4, 'uploading')", [
    image.name,
    image.ownerId,
    image.type,
    image.size,
  ]);
}

/** The number of this user's uploads that are attached to nothing. */
export async function countUnusedUploads(db: Queryable, ownerId: string): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    "select count(*) as total from images where owner_id = $1 and state <> 'attached'",
    [ownerId],
  );
  return Number(row?.total ?? 0);
}

/** What an image is attached to: a package, or something else by kind and id. The other one is null. */
export interface Attachment {
  packageId: string | null;
  other: string | null;
}

/** The image, if the user uploaded it or it is already attached to `attachedTo`. */
export async function findImage(
  db: Queryable,
  name: string,
  ownerId: string,
  attachedTo: Attachment,
): Promise<ImageRow | null> {
  const [row] = await db.query<ImageRow>(
    `select name, type, size, folder from images
     where name = $1 and state <> 'removing' and (owner_id = $2 or package_id = $3 or attached_to = $4)`,
    [name, ownerId, attachedTo.packageId, attachedTo.other],
  );
  return row ?? null;
}

/** An upload that can still be re-encoded. */
const isPending = "state = 'uploading'";

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
export const withdrawAttachments = (tx: Tx, packageId: string): Promise<object[]> =>
  tx.query('update images set withdrawn = true where package_id = $1', [packageId]);

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
export async function setFolder(db: Queryable, name: string, folder: string, sha256: Buffer): Promise<boolean> {
  await db.query(
    `update images set folder = $2, state = 'unused', since = now(), sha256 = $3 where name = $1 and ${isPending}`,
    [name, folder, sha256],
  );
  return (await findFolder(db, name)) === folder;
}

/**
 * Attaches unused images of the user, and orders those that are attached already. Locks them in the order of their names: two requests
 * that claim the same images in different orders would wait for each other.
 * @returns how many of them are attached now
 */
export async function setAttachment(
  tx: Tx,
  names: string[],
  ownerId: string,
  { packageId, other }: Attachment,
): Promise<number> {
  const rows = await tx.query(
    `with locked as materialized (
       select name from images where name = any($1::text[]) order by name for no key update
     )
     update images set state = 'attached', since = now(), package_id = $3, attached_to = $4,
       position = case when $3::uuid is not null then array_position($1, images.name) end
     from locked where images.name = locked.name
       and (state = 'unused' and owner_id = $2 or state = 'attached' and (package_id = $3 or attached_to = $4))
     returning images.name`,
    [names, ownerId, packageId, other],
  );
  return rows.length;
}

const isAttached = '(package_id = $1 or attached_to = $2)';
const detached = 'package_id = null, position = null, attached_to = null';

/** Detaches all other images. */
export const clearOtherAttachments = (tx: Tx, { packageId, other }: Attachment, except: string[]): Promise<object[]> =>
  tx.query(`update images set state = 'unused', since = now(), ${detached} where ${isAttached} and name <> all($3)`, [
    packageId,
    other,
    except,
  ]);

export const expireAttachments = (tx: Tx, { packageId, other }: Attachment): Promise<object[]> =>
  tx.query(`update images set state = 'removing', since = now(), ${detached} where ${isAttached}`, [packageId, other]);

export const expireUploads = (tx: Tx, ownerId: string): Promise<object[]> =>
  tx.query(
    "update images set state = 'removing', since = now() where owner_id = $1 and state in ('uploading', 'unused')",
    [ownerId],
  );

const isOrphan = "state <> 'attached' and (state = 'removing' or since < now() - interval '24 hours')";

export const listOrphans = (db: Queryable): Promise<Pick<ImageRow, 'name' | 'folder'>[]> =>
  db.query<Pick<ImageRow, 'name' | 'folder'>>(
    `select name, folder from images where ${isOrphan} order by since limit 100`,
  );

/** Without a limit, for counting. */
export const listOrphanNames = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ name: string }>(`select name from images where ${isOrphan}`)).map(({ name }) => name);

const reserve = `update images set state = 'removing', folder = null where name = $1`;

/**
 * Reserves an unattached image for deletion: it can no longer be attached, and if the deletion is interrupted the row is an orphan
 * that the next clean-up finds. @returns whether it was unattached
 */
export async function reserveForDeletion(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(`${reserve} and state <> 'attached' returning name`, [name])).length > 0;
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
  db.query("delete from images where name = $1 and state = 'removing'", [name]);
