/**
 * Images for all features. A feature that has images does this:
 *
 * 1. Before its transaction, `const paths = await processUploads(ctx, actor, body.images, 'incidents', attachedTo)`: checks and
 *    re-encodes the uploads (the `image` of POST /uploads) from `incoming/` into the folder, and returns the paths to store. Idempotent.
 * 2. Inside it, `await attachImages(tx, actor, attachedTo, paths)`: the owner (`incident:<id>`) now has exactly these images.
 *    Detached images and unused uploads are removed after a day.
 * 3. In its presenter, `imageUrl(path)` for the public folders (packages, profiles, branding), `privateImageUrl(ctx, path)` for the
 *    private ones (incidents, proofs): signed, for up to an hour. `?size=thumbnail` (`&size=…` after a signature) gets the thumbnail.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileName, imageLimits, imageMessages, ImageType, type Upload, type UploadInput } from '@waybill/contract';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, invalid, unavailable } from '../platform/errors.ts';
import type { UploadedFile } from '../platform/http/multipart.ts';
import { createTempDir } from '../platform/storage/temp-dir.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { StoredFile } from '../platform/storage/storage.ts';
import { encodeImage, extensionOf } from './encode.ts';
import {
  generateName,
  fileNameIn,
  folders,
  incomingPath,
  isImageName,
  parseImageUrl,
  imageUrl,
  thumbnailPath,
  typeOfFile,
  type Folder,
} from './names.ts';
import {
  clearOtherAttachments,
  countUnusedUploads,
  deleteReserved,
  expireAttachments,
  expireUploads,
  findFolder,
  findImage,
  insertImage,
  isUnused,
  listOrphans,
  listImagesToMove,
  listOrphanNames,
  setFolder,
  setAttachment,
  setMoved,
  reserveForDeletion,
  lockOrphan,
  touchUpload,
  withdrawAttachments,
  type Attachment,
  type ImageRow,
} from './queries.ts';
import { isSigned, readExpiry, signatureOf } from './signatures.ts';

/** What images are attached to: `package:<id>`, `user:<id>`, `incident:<id>`, `delivery:<id>`, `settings:logo`. */
export type AttachmentOwner = `${'package' | 'user' | 'incident' | 'delivery' | 'settings'}:${string}`;

const attachmentOf = (attachedTo: AttachmentOwner): Attachment =>
  attachedTo.startsWith('package:')
    ? { packageId: attachedTo.slice('package:'.length), other: null }
    : { packageId: null, other: attachedTo };

const uploadExpirySeconds = 3600;
const maxUnusedUploads = 60;

/** A signed URL of an image in a private folder: valid for 50 to 60 minutes, for anybody who has it. */
export function privateImageUrl(ctx: Pick<Ctx, 'urlKey' | 'now'>, path: string): string {
  const expires = readExpiry(ctx);
  return `/media/${path}?expires=${expires}&signature=${signatureOf(ctx, { purpose: 'read', path, expires })}`;
}

/** The URL of a package image: public until the package is cancelled or deleted, signed afterwards. */
export const packageImageUrl = (ctx: Pick<Ctx, 'urlKey' | 'now'>, path: string, withdrawn: boolean): string =>
  withdrawn ? privateImageUrl(ctx, path) : imageUrl(path);

/** Returns a presigned URL for the upload of one file, valid for an hour. */
export async function createUpload(ctx: Ctx, actor: Actor, input: UploadInput): Promise<Upload> {
  await enforceUploadQuota(ctx, actor);
  const name = generateName(input.name, extensionOf(input.type), ctx.now());
  return ctx.db.transaction(async (tx) => {
    await insertImage(tx, { name, ownerId: actor.id, type: input.type, size: input.size });
    const { url, headers } =
      (await withStorageErrors(ctx, 'sign an upload', () =>
        ctx.storage.signUpload(incomingPath(name), { ...input, expiresInSeconds: uploadExpirySeconds }),
      )) ?? signLocalUpload(ctx, name, input);
    return {
      url,
      method: 'PUT' as const,
      headers,
      expiresIn: uploadExpirySeconds,
      image: imageUrl(`packages/${name}`),
    };
  });
}

/** Unused uploads stay for a day: without a quota one account could fill the disk. */
async function enforceUploadQuota(ctx: Ctx, actor: Actor): Promise<void> {
  if (!ctx.config.RATE_LIMITS || (await countUnusedUploads(ctx.db, actor.id)) < maxUnusedUploads) return;
  throw new AppError('too_many_requests', 'Too many uploaded images are not in use. Please try again tomorrow.', {
    retryAfterSeconds: 3600,
  });
}

function signLocalUpload(ctx: Ctx, name: string, { type, size, checksum = '' }: UploadInput) {
  const expires = Math.floor(ctx.now().getTime() / 1000) + uploadExpirySeconds;
  const terms = [type, String(size), checksum];
  const signature = signatureOf(ctx, { purpose: 'upload', path: incomingPath(name), expires, terms });
  const query = new URLSearchParams({ type, size: String(size), checksum, expires: String(expires), signature });
  const base = ctx.config.PUBLIC_URL?.replace(/\/$/, '') ?? '';
  return { url: `${base}/media/incoming/${name}?${query.toString()}`, headers: { 'content-type': type } };
}

interface SignedUploadTerms {
  type: string;
  size: number;
  checksum: string;
  expires: number;
  signature: string;
}

/** Stores an upload in `incoming/`, which is never served. @throws AppError where S3 would refuse the upload too */
export async function receiveUpload(
  ctx: Ctx,
  name: string,
  { type, size, checksum, expires, signature }: SignedUploadTerms,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Promise<void> {
  const path = incomingPath(name);
  const terms = [type, String(size), checksum];
  if (!isImageName(name) || !isSigned(ctx, { purpose: 'upload', path, expires, terms }, signature)) {
    throw new AppError('forbidden', 'This upload address is not valid or has expired');
  }
  const { 'content-type': sentType, 'content-length': sentSize = size } = request.headers;
  if (sentType !== type) throw new AppError('unsupported_media_type', 'The file is not of the announced type');
  if (Number(sentSize) !== size) throw new AppError('invalid', 'The file is not as long as announced');
  await withStorageErrors(ctx, 'take an upload', async () => {
    try {
      await ctx.storage.put(path, shieldBody(request.raw), { type, size, ...(checksum && { checksum }) });
    } catch (error) {
      // The client disconnected: not a storage error, and nobody is left to read the reply.
      if (request.raw.readableAborted) throw new AppError('invalid', 'The upload was cut off');
      request.raw.resume();
      throw error;
    }
  });
}

/** A store that fails destroys this stream instead of the connection, so that the client still gets the error reply. */
function shieldBody(body: Readable): PassThrough {
  const passed = new PassThrough();
  body.once('error', (error) => passed.destroy(error));
  return body.pipe(passed);
}

export const findFile = (ctx: Ctx, path: string): Promise<StoredFile | null> =>
  withStorageErrors(ctx, 'read an image', () => ctx.storage.get(path));

/** Whether the signature of a private image's URL is valid and not expired. */
export const isReadable = (
  ctx: Ctx,
  path: string,
  { expires, signature }: { expires: number; signature: string },
): boolean => isSigned(ctx, { purpose: 'read', path, expires }, signature);

/**
 * Checks that the caller may use these images here, and re-encodes the new ones.
 *
 * @param images the URLs of the input's field `images`
 * @returns their paths, in the same order
 * @throws invalid with the message of the first unusable one
 */
export async function processUploads(
  ctx: Ctx,
  actor: Actor,
  images: readonly string[],
  folder: Folder,
  attachedTo: AttachmentOwner,
): Promise<string[]> {
  if (images.length > imageLimits.count) throw invalid({ images: imageMessages.tooMany });
  const paths: string[] = [];
  for (const [index, image] of images.entries()) {
    const field = `images.${index}`;
    const path = await processUpload(ctx, actor, image, folder, attachedTo, field);
    if (paths.includes(path)) throw notUsable(field);
    paths.push(path);
  }
  return paths;
}

/** Like `processUploads`, for a single image in the input's `field`. */
export async function processUpload(
  ctx: Ctx,
  actor: Actor,
  image: string,
  folder: Folder,
  attachedTo: AttachmentOwner,
  field: string,
): Promise<string> {
  const name = parseImageUrl(image)?.name;
  const row = name === undefined ? null : await findImage(ctx.db, name, actor.id, attachmentOf(attachedTo));
  // A withdrawn image still belongs to its package.
  const currentFolder = row?.folder === 'withdrawn' ? 'packages' : (row?.folder ?? null);
  if (!row || (currentFolder !== null && currentFolder !== folder)) throw notUsable(field);
  if (row.folder === null) await reencode(ctx, actor, row, folder, field);
  return `${folder}/${row.name}`;
}

const notUsable = (field: string) =>
  invalid({ [field]: 'Must be an image that you have uploaded, and that is not in use elsewhere' });

/** The name of an image, from its path. */
const nameOf = (path: string) => path.slice(path.indexOf('/') + 1);

/** Attaches exactly these images, in this order, to `attachedTo`, and detaches its others. @throws invalid when one is in use elsewhere */
export async function attachImages(
  tx: Tx,
  actor: Actor,
  attachedTo: AttachmentOwner,
  paths: readonly string[],
  field = 'images',
): Promise<void> {
  if (paths.length > 0) await addImages(tx, actor, attachedTo, paths, field);
  await clearOtherAttachments(tx, attachmentOf(attachedTo), paths.map(nameOf));
}

/** Attaches these images to `attachedTo`, beside those that it has. @throws invalid when one is in use elsewhere */
export async function addImages(
  tx: Tx,
  actor: Actor,
  attachedTo: AttachmentOwner,
  paths: readonly string[],
  field = 'images',
): Promise<void> {
  const names = paths.map(nameOf);
  if ((await setAttachment(tx, names, actor.id, attachmentOf(attachedTo))) !== names.length) throw notUsable(field);
}

/** Detaches all images and marks them for removal by the next hourly clean-up. */
export const detachImages = (tx: Tx, attachedTo: AttachmentOwner): Promise<unknown> =>
  expireAttachments(tx, attachmentOf(attachedTo));

/** Makes all images of a package private at once: their public URLs answer 404. A job moves the files. */
export const withdrawImages = (tx: Tx, packageId: string): Promise<unknown> => withdrawAttachments(tx, packageId);

export { countImagesToMove as countWithdrawn, isWithdrawn } from './queries.ts';

/**
 * Moves withdrawn images out of the public folder, since the bucket itself may be publicly readable. Safe to repeat when interrupted:
 * the row is updated last.
 * @returns the number of moved images
 */
export async function moveWithdrawn(ctx: Pick<Ctx, 'db' | 'storage' | 'log'>): Promise<number> {
  let moved = 0;
  for (let found = await listImagesToMove(ctx.db); found.length > 0; found = await listImagesToMove(ctx.db)) {
    for (const { name } of found) {
      await withStorageErrors(ctx, 'move an image', async () => {
        for (const path of [thumbnailPath(`packages/${name}`), `packages/${name}`]) {
          const file = await ctx.storage.get(path);
          // Moved by an earlier attempt.
          if (!file) continue;
          await ctx.storage.put(withdrawnPath(path), file.stream, { type: typeOfFile(path), size: file.size });
          await ctx.storage.delete(path);
        }
      });
      await setMoved(ctx.db, name);
      moved++;
    }
  }
  return moved;
}

/** The file of a withdrawn image, in its new folder or, if it has not been moved yet, in the old one. */
export const findWithdrawnFile = async (ctx: Ctx, path: string): Promise<StoredFile | null> =>
  (await findFile(ctx, withdrawnPath(path))) ?? findFile(ctx, path);

const withdrawnPath = (path: string) => path.replace(/^packages\//, 'withdrawn/');

/** Marks a user's unused uploads for removal by the next hourly clean-up. */
export const discardUploads = (tx: Tx, ownerId: string): Promise<unknown> => expireUploads(tx, ownerId);

const FileAsSent = z.object({ name: FileName, type: ImageType });

/**
 * Re-encodes an image that was uploaded with the request itself and calls `use` with its path. The image is removed afterwards unless
 * `use` attached it.
 * @throws invalid when it breaks the rules for images
 */
export async function withImage<T>(
  ctx: Ctx,
  actor: Actor,
  file: UploadedFile,
  folder: Folder,
  use: (path: string) => Promise<T>,
): Promise<T> {
  await enforceUploadQuota(ctx, actor);
  const checked = FileAsSent.safeParse(file);
  if (!checked.success) throw invalid({ image: checked.error.issues[0]?.message ?? imageMessages.noFile });
  const { type } = checked.data;
  const name = generateName(checked.data.name, extensionOf(type), ctx.now());
  await insertImage(ctx.db, { name, ownerId: actor.id, type, size: file.size });
  try {
    if (!(await encodeInto(ctx, actor, name, folder, { source: file.path, type, field: 'image' })))
      throw notUsable('image');
    return await use(`${folder}/${name}`);
  } finally {
    // If this fails too, the hourly clean-up removes the orphan.
    await removeImage(ctx, name, folder).catch(() => false);
  }
}

async function reencode(ctx: Ctx, actor: Actor, row: ImageRow, folder: Folder, field: string): Promise<void> {
  const { name } = row;
  // Remove a refused upload. After a failure on our side keep it, so that the client can retry.
  const cleanUp = async (error: unknown): Promise<never> => {
    if (error instanceof AppError && error.code === 'invalid') await removeImage(ctx, name, null);
    throw error;
  };
  await using tempDir = await withStorageErrors(ctx, 'read an upload', createTempDir);
  const source = join(tempDir.path, 'sent');
  const exists =
    (await touchUpload(ctx.db, name)) &&
    (await withStorageErrors(ctx, 'read an upload', () => fetchUpload(ctx, row, source, field)).catch(cleanUp));
  if (!exists) {
    // A concurrent repeat of the request may have processed it already.
    if ((await findFolder(ctx.db, name)) === folder) return;
    throw invalid({ [field]: imageMessages.noFile });
  }
  const isStored = await encodeInto(ctx, actor, name, folder, { source, type: row.type as ImageType, field }).catch(
    cleanUp,
  );
  if (!isStored) throw notUsable(field);
  await withStorageErrors(ctx, 'remove an upload', () => ctx.storage.delete(incomingPath(name)));
}

/** @returns false when a concurrent request put the image into another folder; the files of this one are then removed */
async function encodeInto(
  ctx: Ctx,
  actor: Actor,
  name: string,
  folder: Folder,
  { source, type, field }: { source: string; type: ImageType; field: string },
): Promise<boolean> {
  const path = `${folder}/${name}`;
  const { image, thumbnail } = await encodeImage(source, type, {
    name: fileNameIn(name),
    field,
    account: actor.id,
  });
  const hash = createHash('sha256');
  await withStorageErrors(ctx, 'store an image', async () => {
    await ctx.storage.put(thumbnailPath(path), createReadStream(thumbnail.path), thumbnail);
    await ctx.storage.put(path, createReadStream(image.path), image);
    for await (const chunk of createReadStream(image.path)) hash.update(chunk as Buffer);
  });
  if (await setFolder(ctx.db, name, folder, hash.digest())) return true;
  // The clean-up would not find the files in this folder.
  await withStorageErrors(ctx, 'remove an image', () => deleteFrom(ctx, folder, name));
  return false;
}

async function deleteFrom({ storage }: Pick<Ctx, 'storage'>, folder: string, name: string): Promise<void> {
  await storage.delete(thumbnailPath(`${folder}/${name}`));
  await storage.delete(`${folder}/${name}`);
}

/**
 * Removes an unattached image with its files. The row is deleted last, so that an interrupted removal is repeated.
 * @param folder null when re-encoding may have been interrupted: then the files are removed from every folder
 * @returns whether it was removed
 */
async function removeImage(
  ctx: Pick<Ctx, 'db' | 'storage' | 'log'>,
  name: string,
  folder: string | null,
  reserve = reserveForDeletion,
): Promise<boolean> {
  if (!(await reserve(ctx.db, name))) return false;
  await withStorageErrors(ctx, 'remove an image', async () => {
    await ctx.storage.delete(incomingPath(name));
    for (const one of folder === null ? folders : [folder]) await deleteFrom(ctx, one, name);
  });
  await deleteReserved(ctx.db, name);
  return true;
}

const staleAfterMs = 24 * 3_600_000;

/**
 * Removes what has been unattached for a day: unused uploads, replaced images, and stray files in `incoming/`, such as partial uploads
 * and files that arrived after their upload was used.
 * @returns the number of removed images and files
 */
export async function removeOrphans(ctx: Pick<Ctx, 'db' | 'storage' | 'log' | 'now'>): Promise<number> {
  let removed = 0;
  for (let found = await listOrphans(ctx.db); found.length > 0; found = await listOrphans(ctx.db)) {
    for (const { name, folder } of found) if (await removeImage(ctx, name, folder, lockOrphan)) removed++;
  }
  for await (const path of listStale(ctx)) {
    await ctx.storage.delete(path);
    removed++;
  }
  return removed;
}

/** The number of images and files that `removeOrphans` would remove now. */
export async function countOrphans(ctx: Pick<Ctx, 'db' | 'storage' | 'now'>): Promise<number> {
  const names = await listOrphanNames(ctx.db);
  const counted = new Set(names.map(incomingPath));
  for await (const path of listStale(ctx)) counted.add(path);
  return counted.size;
}

async function* listStale(ctx: Pick<Ctx, 'db' | 'storage' | 'now'>): AsyncGenerator<string> {
  for await (const { path, modifiedAt } of ctx.storage.list('incoming/')) {
    if (ctx.now().getTime() - modifiedAt.getTime() < staleAfterMs) continue;
    if (!(await isUnused(ctx.db, path.slice(incomingPath('').length)))) yield path;
  }
}

/**
 * Copies an upload to the local path `to`. @returns whether the upload exists
 * @throws invalid when its size differs from the declared one, which is limited
 */
async function fetchUpload(ctx: Ctx, { name, size }: ImageRow, to: string, field: string): Promise<boolean> {
  const file = await ctx.storage.get(incomingPath(name));
  if (!file) return false;
  if (file.size !== size) {
    file.stream.destroy();
    throw invalid({ [field]: 'Failed to upload image: it is not as long as announced' });
  }
  await pipeline(file.stream, createWriteStream(to));
  return true;
}

/** Turns storage errors into `unavailable` with a retry delay, and logs them without paths or URLs. */
async function withStorageErrors<T>(ctx: Pick<Ctx, 'log'>, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    ctx.log.error({ reason: `${name}: ${message}` }, `the image store failed to ${what}`);
    throw unavailable(5);
  }
}
