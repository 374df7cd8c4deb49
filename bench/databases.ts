import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../server/src/embedded-postgres/embedded-postgres.ts';
import { requestSettings } from '../server/src/platform/database/db.ts';
import { seed } from './seed.ts';

export type Connection = EmbeddedPostgres['connection'];

export interface Database {
  connection: Connection;
  /** For the product's DATABASE_URL. */
  url: string;
}

export interface Databases {
  version: string;
  /** Creates a copy of a seeded database with this many packages, which may be modified. Drops those before it, unless it is used beside them. */
  copy(name: string, packages: number, isBeside?: boolean): Promise<Database>;
  /** Returns a copy that parts share which write next to nothing. */
  shared(packages: number): Promise<Database>;
  /** Seconds spent on seeding so far; null if all databases were there already. */
  seedSeconds(): number | null;
  stop(): Promise<void>;
}

/** For connections of the baselines: they maintain derived data by the same statements as the product, without the triggers for older servers. */
export const asProduct = Object.entries(requestSettings)
  .filter(([name]) => name.startsWith('waybill.'))
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/bench');
const migrations = join(root, 'server/migrations');

/** Starts one PostgreSQL for product and baselines. Seeded databases are cached until a migration or seed.ts changes. */
export async function openDatabases(log: (message: string) => void): Promise<Databases> {
  const name = await fingerprint();
  await removeStaleCaches(name);
  const postgres = await startEmbeddedPostgres({ dataDir: join(cache, name), log });
  const administration = new pg.Client(postgres.connection);
  await administration.connect();
  const run = (sql: string) => administration.query(sql);
  const { rows } = await administration.query<{ version: string }>('select current_setting($1) as version', [
    'server_version',
  ]);

  // Copies that an interrupted run left.
  const { rows: copies } = await administration.query<{ datname: string }>(
    "select datname from pg_database where datname like 'bench\\_%'",
  );
  for (const { datname } of copies) await run(`drop database ${datname} with (force)`);

  let seedSeconds: number | null = null;
  const templates = new Map<number, Promise<string>>();
  const sharedCopies = new Map<number, Promise<Database>>();
  const modified: string[] = [];

  const seeded = (packages: number) => remembered(templates, packages, () => findOrSeed(packages));

  /** @returns the name of the cached database */
  async function findOrSeed(packages: number): Promise<string> {
    const template = `seeded_${packages}`;
    const { rowCount } = await administration.query('select from pg_database where datname = $1', [template]);
    if (rowCount) return template;
    const startedAt = Date.now();
    log(`seeding ${packages.toLocaleString('en')} packages…`);
    // Renamed when complete, so that the database of an interrupted run is never used.
    await run('drop database if exists seeding with (force)');
    await run('create database seeding');
    await seed({ ...postgres.connection, database: 'seeding' }, packages);
    await run(`alter database seeding rename to ${template}`);
    const seconds = (Date.now() - startedAt) / 1000;
    seedSeconds = (seedSeconds ?? 0) + seconds;
    log(`seeded in ${Math.round(seconds)} s`);
    return template;
  }

  async function copy(name: string, packages: number): Promise<Database> {
    const template = await seeded(packages);
    await run(`create database ${name} template ${template} strategy file_copy`);
    const connection = { ...postgres.connection, database: name };
    const { host, port, user } = connection;
    return { connection, url: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}` };
  }

  return {
    version: rows[0]?.version ?? 'unknown',
    async copy(name, packages, isBeside = false) {
      // Large ones only one at a time: each takes gigabytes.
      if (!isBeside)
        for (const former of modified.splice(0)) await run(`drop database if exists ${former} with (force)`);
      modified.push(name);
      return copy(name, packages);
    },
    shared: (packages) => remembered(sharedCopies, packages, () => copy(`bench_shared_${packages}`, packages)),
    seedSeconds: () => seedSeconds,
    async stop() {
      await administration.end();
      await postgres.stop();
    },
  };
}

/** Remembers failures too: otherwise each part would wait for the same one again. */
function remembered<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, find: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? find();
  known.set(key, value);
  return value;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(import.meta.dirname, 'seed.ts')));
  for (const name of (await readdir(migrations)).toSorted()) hash.update(await readFile(join(migrations, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Removes caches of other versions, of about 3 GB each. */
async function removeStaleCaches(name: string): Promise<void> {
  const folders = await readdir(cache).catch(() => []);
  for (const folder of folders) if (folder !== name) await rm(join(cache, folder), { recursive: true });
}
