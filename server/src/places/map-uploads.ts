import { readFile } from 'node:fs/promises';
import { mapPartBytes, type MapState, type MapUpload, type MapUploadInput } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { hasTown } from '../maps/sources.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, invalid, isUniqueViolation, notFound } from '../platform/errors.ts';
import type { UploadedFile } from '../platform/http/multipart.ts';
import { forgetExtract } from './import-extract.ts';
import {
  asExtract,
  asMapUpload,
  findActiveUpload,
  findCurrentExtract,
  findNewestUpload,
  findStalledForBegin,
  findUpload,
  giveUp,
  insertUpload,
  lockUpload,
  removeOldUploads,
  setUploadState,
  storePart,
  type MapUploadRow,
} from './map-upload-queries.ts';

/** Uploads that are listed nowhere but in the audit log. */
const keptUploads = 20;

const maxBytesOf = ({ config }: Pick<Ctx, 'config'>) => config.MAP_EXTRACT_MAX_MB * 1024 * 1024;

export async function readMap(ctx: Ctx): Promise<MapState> {
  const [extract, upload, town] = await Promise.all([
    findCurrentExtract(ctx.db),
    findNewestUpload(ctx.db),
    hasTown(ctx.db),
  ]);
  const { MAP_STYLE_URL: style, MAP_PMTILES: file } = ctx.config;
  const own = extract ? 'extract' : town ? 'town' : 'world';
  return {
    shown: style ? 'style' : file ? 'pmtiles' : own,
    extract: extract && asExtract(extract),
    upload: upload && asMapUpload(upload),
    maxBytes: maxBytesOf(ctx),
  };
}

/** @throws still_running while another one is; a stalled one is given up */
export async function beginUpload(ctx: Ctx, actor: Actor, { name, size }: MapUploadInput): Promise<MapUpload> {
  if (!/\.osm\.pbf$/i.test(name))
    throw invalid({ name: 'Please choose an extract of OpenStreetMap: a file that ends with .osm.pbf' });
  const maxBytes = maxBytesOf(ctx);
  if (size > maxBytes)
    throw invalid({
      size: `This file has ${megabytes(size)} MB. The most is ${megabytes(maxBytes)} MB: MAP_EXTRACT_MAX_MB of the server. Please cut out a smaller region.`,
    });
  const id = uuid();
  try {
    await ctx.db.transaction(async (tx) => {
      for (const stalled of await findStalledForBegin(tx)) await giveUp(tx, stalled, 'failed', brokenOff);
      await insertUpload(tx, { id, name, size, createdBy: actor.id, at: ctx.now() });
      await removeOldUploads(tx, keptUploads);
      const changes = { extract: [null, name] satisfies [unknown, unknown] };
      await record(tx, { type: 'map.uploading', at: ctx.now(), actorId: actor.id, changes });
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'map_uploads_one')) throw error;
    throw stillRunning();
  }
  return requireShown(ctx.db, id);
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);

export const brokenOff = 'The upload was broken off. Please choose the file again.';

const stillRunning = () =>
  new AppError('still_running', 'Another extract is being uploaded or imported. Please wait for it, or cancel it.');

async function requireShown(db: Queryable, id: string): Promise<MapUpload> {
  const row = await findUpload(db, id);
  if (!row) throw notFound('upload');
  return asMapUpload(row);
}

async function requireLocked(tx: Tx, id: string): Promise<MapUploadRow> {
  const row = await lockUpload(tx, id);
  if (!row) throw notFound('upload');
  return row;
}

const partsOf = (size: number) => Math.ceil(size / mapPartBytes);
const partSize = (size: number, part: number) => Math.min(mapPartBytes, size - part * mapPartBytes);

/** @throws invalid for a part that the file does not have, or that begins like no extract; illegal_step once it is complete or over */
export async function receivePart(ctx: Ctx, id: string, part: number, file: UploadedFile): Promise<MapUpload> {
  const data = await readFile(file.path);
  await ctx.db.transaction(async (tx) => {
    const row = await requireLocked(tx, id);
    if (row.state !== 'uploading') throw new AppError('illegal_step', overFor(row));
    const size = Number(row.size);
    if (part >= partsOf(size) || data.length !== partSize(size, part))
      throw invalid({ part: 'This part does not belong to the file' });
    if (part === 0 && !beginsLikeExtract(data))
      throw invalid({ part: 'This is no extract of OpenStreetMap: its content is not .osm.pbf' });
    await storePart(tx, id, part, data);
  });
  return requireShown(ctx.db, id);
}

const overFor = ({ state, failure }: MapUploadRow): string => {
  if (state === 'failed') return failure ?? brokenOff;
  return state === 'cancelled' ? 'This upload was cancelled' : 'All of this file has arrived already';
};

/** The format begins with the length of a header that is named so. */
const beginsLikeExtract = (data: Buffer): boolean =>
  data.length >= 15 && data.readUInt32BE() <= 64 * 1024 && data.subarray(4, 64).includes('OSMHeader');

/** @throws illegal_step while parts are missing, or once it is over */
export async function finishUpload(ctx: Ctx, actor: Actor, id: string): Promise<MapUpload> {
  await ctx.db.transaction(async (tx) => {
    const row = await requireLocked(tx, id);
    if (row.state === 'failed' || row.state === 'cancelled') throw new AppError('illegal_step', overFor(row));
    if (row.state !== 'uploading') return;
    const { received } = await requireShown(tx, id);
    if (received < Number(row.size)) throw new AppError('illegal_step', 'Parts of this file have not arrived yet');
    await setUploadState(tx, id, 'waiting');
    await record(tx, { type: 'map.progressed', at: ctx.now(), actorId: actor.id, changes: {} });
  });
  return requireShown(ctx.db, id);
}

/** @throws illegal_step once the map has it, or it is over otherwise */
export async function cancelUpload(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { state } = await requireLocked(tx, id);
    if (state === 'cancelled') return;
    if (!(await giveUp(tx, id, 'cancelled', null)))
      throw new AppError(
        'illegal_step',
        state === 'failed' ? 'This upload is over' : 'This extract is the map already',
      );
    await record(tx, { type: 'map.progressed', at: ctx.now(), actorId: actor.id, changes: {} });
  });
}

/** @throws still_running while another one is imported; not_found without one */
export async function removeExtract(ctx: Ctx, actor: Actor): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // A running import stores beside the extract what would be removed with it.
    if (await findActiveUpload(tx)) throw stillRunning();
    const extract = await findCurrentExtract(tx);
    if (!extract) throw notFound('extract');
    await forgetExtract(tx);
    const changes = { extract: [extract.name, null] satisfies [unknown, unknown] };
    await record(tx, { type: 'map.removed', at: ctx.now(), actorId: actor.id, changes });
  });
}
