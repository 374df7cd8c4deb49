import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { ExtractError } from '../maps/osm/blocks.ts';
import type { Connection } from '../platform/database/database-url.ts';
import type { Tx } from '../platform/database/db.ts';
import { startPoll } from '../platform/polls.ts';
import { createTempDir } from '../platform/storage/temp-dir.ts';
import { importExtract } from './import-extract.ts';
import {
  claimUpload,
  findPart,
  findStalled,
  giveUp,
  lockStored,
  markStored,
  releaseUpload,
  removeParts,
  renewUpload,
  setUploadState,
  type MapUploadRow,
} from './map-upload-queries.ts';
import { brokenOff } from './map-uploads.ts';

/** Looks for uploads that nobody has announced: those of other processes, and of servers that died. */
const pollEveryMs = 5000;
const leaseSeconds = 20;
const renewEveryMs = 2000;
/** An import that took a server down with it must not take the next one. */
const maxAttempts = 2;
/** What has arrived of an upload is removed when nothing more has come for so long. */
const stalledSeconds = 3600;

export interface MapImporter {
  /** Looks for an upload that waits now. */
  wake(): void;
  close(): Promise<void>;
}

export interface MapImporterOptions {
  connection: Connection;
  /** In the transaction that tells of a new map. */
  onImported: (tx: Tx) => Promise<unknown>;
}

type ImporterCtx = Pick<Ctx, 'config' | 'db' | 'log' | 'now'>;

/** Imports uploaded extracts, one at a time in the whole installation. Any number of processes may run one. */
export function openMapImporter(ctx: ImporterCtx, options: MapImporterOptions): MapImporter {
  const closing = new AbortController();
  let running: Promise<void> | null = null;

  const work = async () => {
    await ctx.db.transaction(async (tx) => {
      for (const id of await findStalled(tx, stalledSeconds)) await giveUp(tx, id, 'failed', brokenOff);
    });
    const upload = await claimUpload(ctx.db, leaseSeconds);
    if (upload) await importUpload(ctx, options.connection, upload, closing.signal);
    await tellOfStored(ctx, options);
  };
  const wake = () => {
    if (closing.signal.aborted) return;
    running ??= work()
      .catch((error: unknown) => ctx.log.warn({ reason: String(error) }, 'uploaded extracts could not be looked for'))
      .finally(() => (running = null));
  };
  const stopPoll = startPoll(wake, pollEveryMs);
  wake();
  return {
    wake,
    async close() {
      stopPoll();
      closing.abort();
      await running;
    },
  };
}

/** The last step of an import, also of a server that died before it. */
async function tellOfStored(ctx: ImporterCtx, { onImported }: MapImporterOptions): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const stored = await lockStored(tx);
    if (!stored) return;
    await setUploadState(tx, stored.id, 'done');
    await removeParts(tx, stored.id);
    await onImported(tx);
    const changes = { extract: [stored.replaced, stored.name] satisfies [unknown, unknown] };
    await record(tx, { type: 'map.imported', at: ctx.now(), actorId: stored.created_by, changes });
  });
}

/** Imports an upload, and stores why it failed. When the server closes, it is left to the next one. */
async function importUpload(
  ctx: ImporterCtx,
  connection: Connection,
  upload: MapUploadRow,
  closing: AbortSignal,
): Promise<void> {
  const fail = (failure: string) =>
    ctx.db.transaction(async (tx) => {
      if (await giveUp(tx, upload.id, 'failed', failure))
        await record(tx, { type: 'map.progressed', at: ctx.now(), actorId: upload.created_by, changes: {} });
    });
  if (upload.attempts > maxAttempts)
    return fail('The server stopped while it read the extract. It may need more memory than there is.');
  const lost = new AbortController();
  let reached: { step: MapUploadRow['step']; progress: number } = { step: null, progress: 0 };
  const renewal = setInterval(() => {
    renewUpload(ctx.db, upload, leaseSeconds, reached).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => ctx.log.warn({ reason: String(error) }, 'the lease of an import could not be renewed'),
    );
  }, renewEveryMs);
  const signal = AbortSignal.any([closing, lost.signal]);
  try {
    await using folder = await createTempDir();
    const file = join(folder.path, 'extract.osm.pbf');
    await writeParts(ctx, upload, file, signal);
    const counts = await importExtract({
      connection,
      file,
      name: upload.name,
      at: ctx.now(),
      limitMegabytes: ctx.config.MAP_EXTRACT_MAX_MB,
      signal,
      onProgress: (step, progress) => (reached = { step, progress }),
      async onStore(db) {
        if (await markStored(db, upload)) return;
        lost.abort();
        throw new ExtractError('The import was cancelled.');
      },
    });
    ctx.log.info({ ...counts, upload: upload.id }, 'an extract became the map');
  } catch (error) {
    if (closing.aborted) await releaseUpload(ctx.db, upload);
    else if (lost.signal.aborted) ctx.log.info({ upload: upload.id }, 'the import of an extract was cancelled');
    else if (error instanceof ExtractError) await fail(error.message);
    else {
      const reason = error instanceof Error ? error.message : String(error);
      ctx.log.error({ reason, upload: upload.id }, 'an extract could not be imported');
      await fail('The extract could not be imported. The server’s log says why.');
    }
  } finally {
    clearInterval(renewal);
  }
}

async function writeParts(ctx: ImporterCtx, upload: MapUploadRow, path: string, signal: AbortSignal): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let part = 0; ; part++) {
      signal.throwIfAborted();
      const data = await findPart(ctx.db, upload.id, part);
      if (!data) return;
      await file.write(data);
    }
  } finally {
    await file.close();
  }
}
