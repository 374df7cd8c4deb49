/**
 * Images of all slices. What a slice that shows images does:
 *
 * 1. `const paths = await processUploads(ctx, actor, body.images, 'incidents', keeper)` before its transaction: takes what was uploaded
 *    (the `image` of POST /uploads) out of `incoming/`, checks and re-encodes it into the folder, and answers the paths, which
 *    it stores. A repeat is harmless.
 * 2. `await attachImages(tx, actor, keeper, paths)` inside it: from now on the keeper (`incident:<id>`) shows exactly these;
 *    what it showed before, and what nobody keeps, is removed after a day.
 * 3. In its presenter `imageUrl(path)` for the public folders (packages, profiles, branding), `privateImageUrl(ctx, path)` for the
 *    private ones (incidents, proofs): signed, for an hour. `?size=thumbnail` (`&size=…` behind a signature) is the small one.
 */
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
  incomingOf,
  isImageName,
  readImage,
  imageUrl,
  thumbnailOf,
  typeOfFile,
  type Folder,
} from './names.ts';
import {
  clearOtherAttachments,
  countWaiting,
  deleteTaken,
  expireAttachments,
  expireUploads,
  findFolder,
  findImage,
  insertImage,
  isUnused,
  listOrphans,
  listToMove,
  listOrphanNames,
  setFolder,
  setAttachment,
  setMoved,
  reserveForDeletion,
  lockOrphan,
  touchUpload,
  withdrawAttachments,
  type ImageRow,
} from './queries.ts';
import { isSigned, readExpiry, signatureOf } from './signatures.ts';

/** What shows images: `package:<id>`, `user:<id>`, `incident:<id>`, `delivery:<id>`, `settings:logo`. */
export type AttachmentOwner = `${'package' | 'user' | 'incident' | 'delivery' | 'settings'}:${string}`;

const uploadForSeconds = 3600;
const waitingAtMost = 60;

/** The address of an image in a private folder, for an hour and whoever gets it. */
export function privateImageUrl(ctx: Pick<Ctx, 'urlKey' | 'now'>, path: string): string {
  const expires = readExpiry(ctx);
  return `/media/${path}?expires=${expires}&signature=${signatureOf(ctx, { purpose: 'read', path, expires })}`;
}

/** The same for a picture of a package: public while it takes place, for whoever may see the package afterwards. */
export const packageImageUrl = (ctx: Pick<Ctx, 'urlKey' | 'now'>, path: string, withdrawn: boolean): string =>
  withdrawn ? privateImageUrl(ctx, path) : imageUrl(path);

/** Hands out an address for one file, good for an hour. */
export async function createUpload(ctx: Ctx, actor: Actor, input: UploadInput): Promise<Upload> {
  await enforceUploadQuota(ctx, actor);
  const name = generateName(input.name, extensionOf(input.type), ctx.now());
  return ctx.db.transaction(async (tx) => {
    await insertImage(tx, { name, ownerId: actor.id, type: input.type, size: input.size });
    const { url, headers } =
      (await withStorageErrors(ctx, 'sign an upload', () =>
        ctx.storage.signUpload(incomingOf(name), { ...input, expiresInSeconds: uploadForSeconds }),
      )) ?? signLocalUpload(ctx, name, input);
    return { url, method: 'PUT' as const, headers, expiresIn: uploadForSeconds, image: imageUrl(`packages/${name}`) };
  });
}

/** Uploads that nobody uses stay for a day: without a bound one account could fill the disk. */
async function enforceUploadQuota(ctx: Ctx, actor: Actor): Promise<void> {
  if (!ctx.config.RATE_LIMITS || (await countWaiting(ctx.db, actor.id)) < waitingAtMost) return;
  throw new AppError('too_many_requests', 'Too many uploaded images are not in use. Please try again tomorrow.', {
    retryAfterSeconds: 3600,
  });
}

function signLocalUpload(ctx: Ctx, name: string, { type, size, checksum = '' }: UploadInput) {
  const expires = Math.floor(ctx.now().getTime() / 1000) + uploadForSeconds;
  const terms = [type, String(size), checksum];
  const signature = signatureOf(ctx, { purpose: 'upload', path: incomingOf(name), expires, terms });
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

/** Takes an upload into `incoming/`, where nobody can read it. @throws what a store of S3 would refuse as well */
export async function receiveUpload(
  ctx: Ctx,
  name: string,
  { type, size, checksum, expires, signature }: SignedUploadTerms,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Promise<void> {
  const path = incomingOf(name);
  const terms = [type, String(size), checksum];
  if (!isImageName(name) || !isSigned(ctx, { purpose: 'upload', path, expires, terms }, signature)) {
    throw new AppError('forbidden', 'This upload address is not valid or has expired');
  }
  const { 'content-type': sentType, 'content-length': sentSize = size } = request.headers;
  if (sentType !== type) throw new AppError('unsupported_media_type', 'The file is not of the announced type');
  if (Number(sentSize) !== size) throw new AppError('invalid', 'The file is not as long as announced');
  await withStorageErrors(ctx, 'take an upload', async () => {
    try {
      await ctx.storage.put(path, passOn(request.raw), { type, size, ...(checksum && { checksum }) });
    } catch (error) {
      // The sender's trouble, and nobody is left to be told.
      if (request.raw.readableAborted) throw new AppError('invalid', 'The upload was cut off');
      request.raw.resume();
      throw error;
    }
  });
}

/** A store that fails takes this with it, but not the connection: the sender is to be told. */
function passOn(body: Readable): PassThrough {
  const passed = new PassThrough();
  body.once('error', (error) => passed.destroy(error));
  return body.pipe(passed);
}

export const findFile = (ctx: Ctx, path: string): Promise<StoredFile | null> =>
  withStorageErrors(ctx, 'read an image', () => ctx.storage.get(path));

/** Whether the address of a private image was signed here and is still good. */
export const isReadable = (
  ctx: Ctx,
  path: string,
  { expires, signature }: { expires: number; signature: string },
): boolean => isSigned(ctx, { purpose: 'read', path, expires }, signature);

/**
 * Makes sure that these are images the caller may use here, and re-encodes those that are new.
 *
 * @param images as in the input's field `images`, in its order
 * @returns their paths
 * @throws invalid with the message of the first that will not do
 */
export async function processUploads(
  ctx: Ctx,
  actor: Actor,
  images: readonly string[],
  folder: Folder,
  keeper: AttachmentOwner,
): Promise<string[]> {
  if (images.length > imageLimits.count) throw invalid({ images: imageMessages.tooMany });
  const paths: string[] = [];
  for (const [index, image] of images.entries()) {
    const field = `images.${index}`;
    const path = await processUpload(ctx, actor, image, folder, keeper, field);
    if (paths.includes(path)) throw notUsable(field);
    paths.push(path);
  }
  return paths;
}

/** The same for a single one, in the input's `field`. */
export async function processUpload(
  ctx: Ctx,
  actor: Actor,
  image: string,
  folder: Folder,
  keeper: AttachmentOwner,
  field: string,
): Promise<string> {
  const name = readImage(image)?.name;
  const row = name === undefined ? null : await findImage(ctx.db, name, actor.id, keeper);
  // What a package showed when it was cancelled is still its own, wherever it lies.
  const lies = row?.folder === 'withdrawn' ? 'packages' : (row?.folder ?? null);
  if (!row || (lies !== null && lies !== folder)) throw notUsable(field);
  if (row.folder === null) await reencode(ctx, actor, row, folder, field);
  return `${folder}/${row.name}`;
}

const notUsable = (field: string) =>
  invalid({ [field]: 'Must be an image that you have uploaded, and that is not in use elsewhere' });

/** Records that the keeper shows exactly these paths from now on, and lets go of what it showed before. */
export async function attachImages(
  tx: Tx,
  actor: Actor,
  keeper: AttachmentOwner,
  paths: readonly string[],
  field = 'images',
): Promise<void> {
  const names = paths.map((path) => path.slice(path.indexOf('/') + 1));
  if (names.length > 0 && (await setAttachment(tx, names, actor.id, keeper)) !== names.length) throw notUsable(field);
  await clearOtherAttachments(tx, keeper, names);
}

/** Lets go of everything the keeper shows, and has it removed within the hour: nobody is to see it any more. */
export const detachImages = (tx: Tx, keeper: AttachmentOwner): Promise<unknown> => expireAttachments(tx, keeper);

/** Nobody sees what the keeper shows by its public address any more, at once; a job moves the files. */
export const withdrawImages = (tx: Tx, keeper: AttachmentOwner): Promise<unknown> => withdrawAttachments(tx, keeper);

export { countToMove as countWithdrawn, isWithdrawn } from './queries.ts';

/**
 * Moves withdrawn pictures out of the folder that the world may read, also where it reads the bucket itself. Cut off anywhere, it is
 * begun again: the row tells the new folder last.
 * @returns how many
 */
export async function moveWithdrawn(ctx: Pick<Ctx, 'db' | 'storage' | 'log'>): Promise<number> {
  let moved = 0;
  for (let found = await listToMove(ctx.db); found.length > 0; found = await listToMove(ctx.db)) {
    for (const { name } of found) {
      await withStorageErrors(ctx, 'move an image', async () => {
        for (const path of [thumbnailOf(`packages/${name}`), `packages/${name}`]) {
          const file = await ctx.storage.get(path);
          // Moved by an attempt before this one.
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

/** The file of a withdrawn picture: moved already, or about to be. */
export const findWithdrawnFile = async (ctx: Ctx, path: string): Promise<StoredFile | null> =>
  (await findFile(ctx, withdrawnPath(path))) ?? findFile(ctx, path);

const withdrawnPath = (path: string) => path.replace(/^packages\//, 'withdrawn/');

/** Uploads of a user that nothing shows: gone with the next cleaning. */
export const forgetUploads = (tx: Tx, ownerId: string): Promise<unknown> => expireUploads(tx, ownerId);

const FileAsSent = z.object({ name: FileName, type: ImageType });

/**
 * An image that comes with the request itself: re-encoded, handed to `use`, and removed again unless that kept it.
 * @throws invalid with the message of the image rules
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
    if (!(await encodeInto(ctx, actor, name, folder, { sent: file.path, type, field: 'image' })))
      throw notUsable('image');
    return await use(`${folder}/${name}`);
  } finally {
    // Should this fail too, the image is an orphan like others.
    await removeImage(ctx, name, folder).catch(() => false);
  }
}

async function reencode(ctx: Ctx, actor: Actor, row: ImageRow, folder: Folder, field: string): Promise<void> {
  const { name } = row;
  // What was refused leaves nothing behind; what failed on our side may be tried again.
  const cleanUp = async (error: unknown): Promise<never> => {
    if (error instanceof AppError && error.code === 'invalid') await removeImage(ctx, name, null);
    throw error;
  };
  await using scratch = await withStorageErrors(ctx, 'read an upload', createTempDir);
  const sent = join(scratch.path, 'sent');
  const isThere =
    (await touchUpload(ctx.db, name)) &&
    (await withStorageErrors(ctx, 'read an upload', () => fetchUpload(ctx, row, sent, field)).catch(cleanUp));
  if (!isThere) {
    // A repeat of the request may just have taken it.
    if ((await findFolder(ctx.db, name)) === folder) return;
    throw invalid({ [field]: imageMessages.noFile });
  }
  const isPlaced = await encodeInto(ctx, actor, name, folder, { sent, type: row.type as ImageType, field }).catch(
    cleanUp,
  );
  if (!isPlaced) throw notUsable(field);
  await withStorageErrors(ctx, 'remove an upload', () => ctx.storage.delete(incomingOf(name)));
}

/** @returns whether it lies there now; where another request was first with another folder, nothing stays in this one */
async function encodeInto(
  ctx: Ctx,
  actor: Actor,
  name: string,
  folder: Folder,
  { sent, type, field }: { sent: string; type: ImageType; field: string },
): Promise<boolean> {
  const path = `${folder}/${name}`;
  const { image, thumbnail } = await encodeImage(sent, type, {
    name: fileNameIn(name),
    field,
    account: actor.id,
  });
  await withStorageErrors(ctx, 'store an image', async () => {
    await ctx.storage.put(thumbnailOf(path), createReadStream(thumbnail.path), thumbnail);
    await ctx.storage.put(path, createReadStream(image.path), image);
  });
  if (await setFolder(ctx.db, name, folder)) return true;
  // Nobody would look for it here.
  await withStorageErrors(ctx, 'remove an image', () => deleteFrom(ctx, folder, name));
  return false;
}

async function deleteFrom({ storage }: Pick<Ctx, 'storage'>, folder: string, name: string): Promise<void> {
  await storage.delete(thumbnailOf(`${folder}/${name}`));
  await storage.delete(`${folder}/${name}`);
}

/**
 * Removes an image with its files, unless something shows it. The row goes last: what a failure leaves is found again.
 * @param folder null where it may have been cut off on its way into any
 */
async function removeImage(
  ctx: Pick<Ctx, 'db' | 'storage' | 'log'>,
  name: string,
  folder: string | null,
  take = reserveForDeletion,
): Promise<boolean> {
  if (!(await take(ctx.db, name))) return false;
  await withStorageErrors(ctx, 'remove an image', async () => {
    await ctx.storage.delete(incomingOf(name));
    for (const one of folder === null ? folders : [folder]) await deleteFrom(ctx, one, name);
  });
  await deleteTaken(ctx.db, name);
  return true;
}

const staleAfterMs = 24 * 3_600_000;

/**
 * Removes what nothing has shown for a day: uploads that were never used, images that were replaced, and files that came or
 * were cut off where nobody expected them any more.
 * @returns how many images and files
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

/** How many images and files `removeOrphans` would remove now. */
export async function countOrphans(ctx: Pick<Ctx, 'db' | 'storage' | 'now'>): Promise<number> {
  const names = await listOrphanNames(ctx.db);
  const counted = new Set(names.map(incomingOf));
  for await (const path of listStale(ctx)) counted.add(path);
  return counted.size;
}

async function* listStale(ctx: Pick<Ctx, 'db' | 'storage' | 'now'>): AsyncGenerator<string> {
  for await (const { path, modifiedAt } of ctx.storage.list('incoming/')) {
    if (ctx.now().getTime() - modifiedAt.getTime() < staleAfterMs) continue;
    if (!(await isUnused(ctx.db, path.slice(incomingOf('').length)))) yield path;
  }
}

/**
 * Copies an upload to a file here. @returns whether there is one
 * @throws invalid when it is not as long as was announced: the announced length is bounded
 */
async function fetchUpload(ctx: Ctx, { name, size }: ImageRow, to: string, field: string): Promise<boolean> {
  const file = await ctx.storage.get(incomingOf(name));
  if (!file) return false;
  if (file.size !== size) {
    file.stream.destroy();
    throw invalid({ [field]: 'Failed to upload image: it is not as long as announced' });
  }
  await pipeline(file.stream, createWriteStream(to));
  return true;
}

/** A store that fails is trouble that passes: told as such, and logged without paths or addresses. */
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
