import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { v7 as uuid } from 'uuid';
import { ExtractError } from '../maps/osm/blocks.ts';
import type { ExtractMessage } from '../maps/osm/worker.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import { directOf, type Connection } from '../platform/database/database-url.ts';
import { requestSettings, type Queryable } from '../platform/database/db.ts';
import { addressKey } from './address-key.ts';

/** The name of its addresses in the gazetteer. */
export const extractSource = 'OpenStreetMap';

export interface ImportedExtract {
  ways: number;
  addresses: number;
  crossings: number;
  tiles: number;
}

export interface ImportOptions {
  connection: Connection;
  file: string;
  /** As it is shown. */
  name: string;
  at: Date;
  limitMegabytes: number;
  onProgress?: (step: 'read' | 'cut' | 'store', part: number) => void;
  signal?: AbortSignal;
  /** In the transaction that makes it the map, before anything else; what it throws leaves the map as it was. */
  onStore?: (db: Queryable) => Promise<void>;
}

/** Objects of the thread; its numbers are outside of that. */
const heapMegabytes = 3072;
/** Longer than the largest extract takes. */
const timeoutMs = 2 * 3_600_000;

/**
 * Reads an extract of OpenStreetMap, and makes its streets, addresses and roads those of the map, in place of an earlier extract's. All of
 * it or nothing: what is read is stored beside what is shown, and takes its place in one transaction.
 * @throws ExtractError with a message for the user
 */
export async function importExtract(options: ImportOptions): Promise<ImportedExtract> {
  const { size } = await stat(options.file);
  if (size > options.limitMegabytes * 1024 * 1024)
    throw new ExtractError(
      `The extract has ${Math.ceil(size / 1024 / 1024)} MB, more than the ${options.limitMegabytes} MB of MAP_EXTRACT_MAX_MB.`,
    );
  const client = new DatabaseClient({
    ...directOf(options.connection),
    role: 'map',
    settings: {
      ...requestSettings,
      statement_timeout: '0',
      idle_in_transaction_session_timeout: '0',
      lock_timeout: '60s',
    },
  });
  await client.connect();
  const db: Queryable = {
    query: async <Row extends object>(sql: string, params?: unknown[]) => (await client.query<Row>(sql, params)).rows,
  };
  try {
    const [lock] = await db.query<{ taken: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('map', 0)) as taken",
    );
    if (!lock?.taken) throw new ExtractError('Another extract is being imported right now.');
    await forgetUnfinished(db);
    try {
      return await store(db, options);
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      await forgetUnfinished(db).catch(() => undefined);
      throw error;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Takes an extract away: the map is again what it was without it. */
export async function forgetExtract(db: Queryable): Promise<void> {
  await db.query('update map_extracts set is_current = false where is_current');
  await db.query('delete from gazetteer where source = $1', [extractSource]);
  await forgetUnfinished(db);
}

async function forgetUnfinished(db: Queryable): Promise<void> {
  await db.query('delete from map_extracts where not is_current');
  await db.query('delete from map_tiles where extract_id not in (select id from map_extracts)');
  await db.query('delete from map_addresses');
}

async function store(
  db: Queryable,
  { file, name, at, onProgress = () => undefined, signal, onStore = async () => undefined }: ImportOptions,
): Promise<ImportedExtract> {
  const id = uuid();
  let tiles = 0;
  for await (const message of readInThread(file, signal)) {
    if ('progress' in message) onProgress(message.step, message.progress);
    else if ('addresses' in message) await storeAddresses(db, id, message.addresses);
    else if ('tiles' in message) {
      tiles += message.tiles.length;
      await storeTiles(db, id, message.tiles);
    } else if ('refused' in message) throw new ExtractError(message.refused);
    else {
      const { bounds, ways, addresses, crossings, graph } = message.done;
      onProgress('store', 0);
      await db.query('begin');
      await onStore(db);
      await db.query('update map_extracts set is_current = false where is_current');
      await db.query(
        `insert into map_extracts (id, name, imported_at, is_current, west, south, east, north, ways, addresses, crossings, graph)
         values ($1, $2, $3, true, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [id, name, at, ...bounds, ways, addresses, crossings, Buffer.from(graph)],
      );
      await db.query('delete from gazetteer where source = $1', [extractSource]);
      await db.query(
        `insert into gazetteer (key, street, postal_code, city, country, lon, lat, accuracy, source)
         select key, street, postal_code, city, country, lon, lat, 'rooftop', $2 from map_addresses where extract_id = $1
         on conflict do nothing`,
        [id, extractSource],
      );
      await db.query('commit');
      await forgetUnfinished(db);
      onProgress('store', 1);
      return { ways, addresses, crossings, tiles };
    }
  }
  throw new ExtractError('The extract needs more memory than there is. Please cut out a smaller region.');
}

const units = 1e7;

async function storeAddresses(
  db: Queryable,
  id: string,
  found: Extract<ExtractMessage, { addresses: unknown }>['addresses'],
): Promise<void> {
  const rows = found.map(({ lon, lat, postalCode, ...address }) => ({
    key: addressKey({ ...address, postalCode }),
    ...address,
    postal_code: postalCode,
    lon: lon / units,
    lat: lat / units,
  }));
  await db.query(
    `insert into map_addresses (extract_id, key, street, postal_code, city, country, lon, lat)
     select $1, key, street, postal_code, city, country, lon, lat from json_to_recordset($2) as row (key text, street text, postal_code text,
       city text, country text, lon float8, lat float8)`,
    [id, JSON.stringify(rows)],
  );
}

async function storeTiles(
  db: Queryable,
  id: string,
  tiles: Extract<ExtractMessage, { tiles: unknown }>['tiles'],
): Promise<void> {
  if (tiles.length === 0) return;
  await db.query(
    `insert into map_tiles (extract_id, z, x, y, data)
     select $1, z, x, y, data from unnest($2::integer[], $3::integer[], $4::integer[], $5::bytea[]) as tile (z, x, y, data)`,
    [
      id,
      tiles.map(({ z }) => z),
      tiles.map(({ x }) => x),
      tiles.map(({ y }) => y),
      tiles.map(({ data }) => Buffer.from(data)),
    ],
  );
}

/** What the thread tells, which waits for each to be taken. @throws when it dies */
async function* readInThread(file: string, signal?: AbortSignal): AsyncGenerator<ExtractMessage> {
  const worker = new Worker(new URL('../maps/osm/worker.ts', import.meta.url), {
    execArgv: [],
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const messages: ExtractMessage[] = [];
  let end: { error: Error | null } | null = null;
  let wake = () => {};
  const finish = (error: Error | null) => {
    end ??= { error };
    wake();
  };
  worker.on('message', (message: ExtractMessage) => {
    messages.push(message);
    wake();
  });
  worker.on('error', (error: Error & { code?: string }) =>
    finish(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ExtractError('The extract needs more memory than there is. Please cut out a smaller region.')
        : error,
    ),
  );
  worker.on('exit', () => finish(null));
  const stop = () => finish(new ExtractError('The import was broken off, or took too long. Nothing was changed.'));
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop);
  try {
    for (;;) {
      const next = messages.shift();
      if (next) {
        yield next;
        if (!('progress' in next)) worker.postMessage(null);
      } else if (end) {
        const { error } = end as { error: Error | null };
        if (error) throw error;
        return;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
