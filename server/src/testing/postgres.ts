import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import type { Connection } from '../platform/database/db.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { listMigrations, listPostDeployment, migrate, migrateWithin } from '../platform/database/migrate.ts';
import { openQueue } from '../platform/database/queue.ts';
import { fastestFolder } from './tmpfs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Connection;
  }
}

const template = 'waybill_template';

/** For the projects of a run, each of which loads this module anew. */
const shared = globalThis as { testPostgres?: Connection };

/**
 * Vitest's globalSetup: one PostgreSQL for the whole run, with a template database (schema of the product and its queue). The first
 * project starts and stops it.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (shared.testPostgres) {
    project.provide('postgres', shared.testPostgres);
    return undefined;
  }
  const home = mkdtempSync(join(fastestFolder(), 'waybill-tests-'));
  chmodSync(home, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'data'), log: () => {} });
  const connection = { ...postgres.connection, database: template };
  await maintain(postgres.connection, `create database ${template}`);
  await migrate(connection, () => {});
  await (await openQueue(connection, pino({ level: 'silent' }), [])).close();
  // It would visit hundreds of databases in turn, ten a second, and change plans at any moment. No test waits for it.
  await maintain(postgres.connection, 'alter system set autovacuum = off', 'select pg_reload_conf()');
  shared.testPostgres = postgres.connection;
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  };
}

let clones = 0;

/** Creates a migrated, empty database. It is removed with the whole server: dropping it would wait for a checkpoint. */
export async function cloneDatabase(): Promise<Connection> {
  const server = inject('postgres');
  const database = `test_${process.pid}_${clones++}_${Date.now()}`;
  await maintain(server, `create database ${database} template ${template} strategy wal_log`);
  return { ...server, database };
}

/** Creates a database without any table. */
export async function createDatabase(): Promise<Connection> {
  const server = inject('postgres');
  const database = `test_${process.pid}_${clones++}_${Date.now()}`;
  await maintain(server, `create database ${database} template template0`);
  return { ...server, database };
}

/** Creates a database as it is during a rolling upgrade: migrated but for the post-deployment migrations. */
export async function createUpgradingDatabase(): Promise<Connection> {
  const connection = await createDatabase();
  const waiting = await listPostDeployment();
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('begin');
    await migrateWithin(
      client,
      (await listMigrations()).filter((name) => !waiting.includes(name)),
    );
    await client.query('commit');
  } finally {
    await client.end();
  }
  await (await openQueue(connection, pino({ level: 'silent' }), [])).close();
  return connection;
}

/** Runs statements on the maintenance database, one by one: `create database` must run outside a transaction. */
async function maintain(server: Connection, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}
