import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../server/src/embedded-postgres/embedded-postgres.ts';
import { seed } from './seed.ts';

export type Connection = EmbeddedPostgres['connection'];

export interface Database {
  connection: Connection;
  /** For the product's DATABASE_URL. */
  url: string;
}

export interface Databases {
  version: string;
  /** A fresh database with that many packages, to be changed at will. */
  copy(name: string, packages: number): Promise<Database>;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/bench');
const migrations = join(root, 'server/migrations');

/** One PostgreSQL for the product and what it is compared with. The seeded rows are kept for the next run, until schema or seed change. */
export async function openDatabases(log: (message: string) => void): Promise<Databases> {
  const name = await fingerprint();
  await removeOthers(name);
  const postgres = await startEmbeddedPostgres({ dataDir: join(cache, name), log });
  const administration = new pg.Client(postgres.connection);
  await administration.connect();
  const run = (sql: string) => administration.query(sql);
  const { rows } = await administration.query<{ version: string }>('select current_setting($1) as version', [
    'server_version',
  ]);

  /** @returns the name of the kept database */
  async function seeded(packages: number): Promise<string> {
    const kept = `seeded_${packages}`;
    const { rowCount } = await administration.query('select from pg_database where datname = $1', [kept]);
    if (rowCount) return kept;
    const startedAt = Date.now();
    log(`seeding ${packages.toLocaleString('en')} packages…`);
    // Renamed when it is whole: what an interrupted run left is not taken for it.
    await run('drop database if exists seeding with (force)');
    await run('create database seeding');
    await seed({ ...postgres.connection, database: 'seeding' }, packages);
    await run(`alter database seeding rename to ${kept}`);
    log(`seeded in ${Math.round((Date.now() - startedAt) / 1000)} s`);
    return kept;
  }

  return {
    version: rows[0]?.version ?? 'unknown',
    async copy(name, packages) {
      const kept = await seeded(packages);
      await run(`drop database if exists ${name} with (force)`);
      await run(`create database ${name} template ${kept} strategy file_copy`);
      const connection = { ...postgres.connection, database: name };
      const { host, port, user } = connection;
      return { connection, url: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}` };
    },
    async stop() {
      await administration.end();
      await postgres.stop();
    },
  };
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(import.meta.dirname, 'seed.ts')));
  for (const name of (await readdir(migrations)).toSorted()) hash.update(await readFile(join(migrations, name)));
  return hash.digest('hex').slice(0, 12);
}

/** A seeded folder takes some 3 GB. */
async function removeOthers(name: string): Promise<void> {
  const folders = await readdir(cache).catch(() => []);
  for (const folder of folders) if (folder !== name) await rm(join(cache, folder), { recursive: true });
}
