import * as z from 'zod/mini';
import { ById, Id, Instant, text } from './common.ts';
import { group, type FileInput } from './endpoint.ts';

/** `waiting`: all of the file is there. `importing`: a server reads it. The others are over. */
export const mapUploadStates = ['uploading', 'waiting', 'importing', 'done', 'failed', 'cancelled'] as const;
export type MapUploadState = (typeof mapUploadStates)[number];

/** A file is sent in parts of this size, so that it passes every proxy, and one that is lost is sent again alone. */
export const mapPartBytes = 4 * 1024 * 1024;

/** The upload of an extract of OpenStreetMap, and its import. */
export const MapUpload = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the file, and of what has arrived, in bytes. */
  size: z.number(),
  received: z.number(),
  state: z.enum(mapUploadStates),
  /** While it uploads: nothing has arrived for a minute, so somebody else may begin. */
  isStalled: z.boolean(),
  /** What the import does, and how far it is, from 0 to 1. */
  step: z.nullable(z.enum(['read', 'cut', 'store'])),
  progress: z.number(),
  /** Why it failed, as a sentence. */
  failure: z.nullable(z.string()),
  /** Who uploads it; null once the account is deleted. */
  by: z.nullable(z.string()),
  createdAt: Instant,
  endedAt: z.nullable(Instant),
});
export type MapUpload = z.output<typeof MapUpload>;

export const MapState = z.object({
  /**
   * What shows the streets: `style` another map by MAP_STYLE_URL, `pmtiles` the file of MAP_PMTILES, `extract` the one below, `town` that of
   * the demo, `world` no streets but countries and cities.
   */
  shown: z.enum(['style', 'pmtiles', 'extract', 'town', 'world']),
  /** Its addresses and roads are used whatever shows the streets. */
  extract: z.nullable(
    z.object({
      name: z.string(),
      importedAt: Instant,
      west: z.number(),
      south: z.number(),
      east: z.number(),
      north: z.number(),
      ways: z.int(),
      addresses: z.int(),
      crossings: z.int(),
    }),
  ),
  /** The newest one; null if there has been none. */
  upload: z.nullable(MapUpload),
  /** The largest file, in bytes: MAP_EXTRACT_MAX_MB. */
  maxBytes: z.number(),
});
export type MapState = z.output<typeof MapState>;

export const MapUploadInput = z.strictObject({
  name: text('File name', { min: 1, max: 200, tooShort: 'Please choose a file' }),
  /** In bytes. */
  size: z.int('Must be a whole number of bytes').check(z.minimum(1, 'This file is empty')),
});
export type MapUploadInput = z.output<typeof MapUploadInput>;

const partFile: FileInput = {
  field: 'part',
  maxBytes: mapPartBytes,
  missing: 'No part provided',
  tooLarge: 'A part has at most 4 MB',
};

const access = { access: { anyOf: ['admin.system_config'] }, scope: 'everything', noun: 'upload' } as const;
const PartNumber = z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.transform(Number));

export const map = group({
  read: {
    method: 'GET',
    path: '/map',
    summary: 'Read what the map is made of, and the newest upload',
    failure: 'The map could not be loaded.',
    ...access,
    reply: MapState,
  },
  /** One at a time: 409 while another one uploads or is imported. */
  begin: {
    method: 'POST',
    path: '/map/uploads',
    summary: 'Begin the upload of an OpenStreetMap extract',
    failure: 'The upload could not be started.',
    ...access,
    body: MapUploadInput,
    reply: MapUpload,
    status: 201,
    errors: ['still_running'],
  },
  /** From 0; each but the last has `mapPartBytes`. In any order; one that is sent again replaces the former. */
  part: {
    method: 'PUT',
    path: '/map/uploads/:id/parts/:part',
    summary: 'Send a part of an extract',
    failure: 'A part of the file could not be sent.',
    ...access,
    params: z.object({ id: Id, part: PartNumber }),
    file: partFile,
    reply: MapUpload,
    errors: ['illegal_step'],
  },
  /** The import begins in the background. A repetition changes nothing. */
  finish: {
    method: 'POST',
    path: '/map/uploads/:id/finish',
    summary: 'Import an extract that has been uploaded',
    failure: 'The import could not be started.',
    ...access,
    params: ById,
    reply: MapUpload,
    status: 202,
    errors: ['illegal_step'],
  },
  /** The map stays as it was. */
  cancel: {
    method: 'DELETE',
    path: '/map/uploads/:id',
    summary: 'Cancel the upload or import of an extract',
    failure: 'The upload could not be cancelled.',
    ...access,
    params: ById,
    reply: 'none',
    errors: ['illegal_step'],
  },
  remove: {
    method: 'DELETE',
    path: '/map/extract',
    summary: 'Go back to the map without an extract',
    failure: 'The extract could not be removed.',
    ...access,
    noun: 'extract',
    reply: 'none',
    errors: ['not_found', 'still_running'],
  },
});
