import { createInterface } from 'node:readline/promises';
import { resolve } from 'node:path';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { jobNames } from '../events/event-jobs.ts';
import { typeOfFile } from '../images/names.ts';
import { openLog } from '../observability/log.ts';
import type { Connection, Tx } from '../platform/database/db.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import { directOf } from '../platform/database/database-url.ts';
import { listMigrations, migrateWithin, acquireMigrationLock } from '../platform/database/migrate.ts';
import { createPartitions } from '../platform/database/partitions.ts';
import { openQueue, type Queue } from '../platform/database/queue.ts';
import { openStorage } from '../platform/storage/index.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { eraseAccount } from '../users/accounts.ts';
import { checkArchive, readArchive, type Manifest } from './archive.ts';
import { findBackupKey } from './backup-key.ts';
import { fileFolders, isUnfinished, readAuditEnd } from './backup.ts';
import { defineCommand, UsageError } from './command.ts';
import { withPostgres } from './database.ts';
import { showProgress, type Progress } from './progress-bar.ts';
import { dropEverything, listTables, withoutForeignKeys } from './tables.ts';

export const restoreCommand = defineCommand(
  {
    help: `npm run cli -- restore <file> [--force] [--unsigned]

Brings back what 'backup' saved: the database, waiting jobs and images. The server must be stopped. Refuses where there is
something already. --force empties the whole schema first (every table in it, also those of others) and deletes the images that
the backup does not have; on a terminal it asks before that. All or nothing: until it is done, the old data stay. Accounts that
were deleted since the backup are deleted again. Everybody signs in anew.

A backup that BACKUP_KEY, else DATA_DIR/backup.key, has not signed is refused; --unsigned takes it nevertheless, as those of
before 0.2.0 need. Only for one that you know to be yours: who writes a backup can make themselves an administrator.`,
    options: { force: { type: 'boolean', default: false }, unsigned: { type: 'boolean', default: false } },
    operands: 1,
  },
  async ({ force, unsigned }, [name]) => {
    if (!name) throw new UsageError('Which file?');
    const file = resolve(name);
    if (force && process.stdin.isTTY && !(await isSure())) throw new Error('Nothing was changed.');
    await withPostgres(async ({ config, connection, holder }) => {
      if (holder) throw new Error(`Waybill runs on this database (${holder}): stop it first.`);
      const log = openLog('warn');
      const storage = openStorage(config, log);
      const progress = showProgress();
      try {
        const key = unsigned ? 'unsigned' : { key: await findBackupKey(config) };
        const { manifest, erased } = await restore({ connection, storage, file, key, force, log, progress });
        progress.end();
        console.log(`Restored what was saved at ${manifest.madeAt}.`);
        if (manifest.auditEnd)
          console.log(`Its audit log ends at ${manifest.auditEnd}: compare it with the end you keep.`);
        if (erased > 0) console.log(`Deleted again: ${erased} accounts that were deleted since.`);
      } finally {
        storage.close();
      }
    });
  },
);

async function isSure(): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await prompt.question("Everything in this database will be replaced. Type 'replace' to go on: ");
    return answer.trim() === 'replace';
  } catch {
    // Ctrl+C or Ctrl+D.
    return false;
  } finally {
    prompt.close();
  }
}

interface RestoreOptions {
  connection: Connection;
  storage: Storage;
  file: string;
  /** The key that must have signed the backup, null if this installation has none; 'unsigned' skips the signature check. */
  key: { key: string | null } | 'unsigned';
  force: boolean;
  log: Logger;
  progress: Progress;
}

/** Restores the database in one transaction: if it fails or is killed, the old data stay. */
export async function restore(options: RestoreOptions): Promise<{ manifest: Manifest; erased: number }> {
  const { connection, storage, file, key, force, log, progress } = options;
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new Error(`There is no file ${file}.`);
  progress.step('checking');
  const manifest = await checkArchive(file, key, (bytes) => progress.move(bytes, found.size));
  const migrations = await listMigrations();
  const unknown = manifest.migrations.filter((name) => !migrations.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `The backup is newer than this program (it has ${unknown.join(', ')}): restore it with the newer one.`,
    );

  const client = new DatabaseClient({ ...directOf(connection), role: 'restore' });
  await client.connect();
  let queue: Queue | undefined;
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0');
    // A server that starts now waits for this lock until the restore is done.
    await acquireMigrationLock(client, (line) => log.info(line));
    await assertNoOtherConnections(client);
    if (!force) await assertEmpty(client);
    queue = await openQueue(connection, log, jobNames);
    await client.query('create temporary table restored_files (path text primary key)');
    await client.query('begin');
    const deleted = await listDeletedUsers(client);
    await dropEverything(client);
    await migrateWithin(client, manifest.migrations);
    // For rows that have not expired. The function sets a lock time-out for its transaction.
    await createPartitions(
      {
        query: async <Row extends object>(sql: string, params?: unknown[]) =>
          (await client.query<Row>(sql, params)).rows,
      },
      new Date(),
      13,
    );
    await client.query('set local lock_timeout = 0');
    progress.step('restoring');
    await load(
      client,
      storage,
      manifest,
      readArchive(file, (bytes) => progress.move(bytes, found.size)),
    );
    await migrateWithin(
      client,
      migrations.filter((name) => !manifest.migrations.includes(name)),
    );
    await client.query(
      'insert into public_views (tracking_id, package_id, stale) select tracking_id, id, true from packages on conflict do nothing',
    );
    const erased = await eraseDeletedUsers(client, queue, deleted);
    await client.query('commit');
    await removeOtherFiles(client, storage);
    await client.query('analyze');
    return { manifest, erased };
  } finally {
    await queue?.close();
    await client.end();
  }
}

async function assertNoOtherConnections(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and usesysid is not null and pid <> pg_backend_pid()`,
  );
  if (rows[0]?.others) {
    throw new Error(
      `The database is in use (${rows[0].others} other connections): stop Waybill, and whatever else is connected, first.`,
    );
  }
}

async function assertEmpty(client: pg.Client): Promise<void> {
  for (const { name } of await listTables(client)) {
    // An unused database has rows in these too. Changed settings imply a user, which the check of `users` finds.
    if (name === 'secrets' || name === 'settings') continue;
    const { rows } = await client.query(`select from ${pg.escapeIdentifier(name)} limit 1`);
    if (rows.length > 0)
      throw new Error(`There are data in this database already ('${name}'): --force puts the backup in their place.`);
  }
}

/** Returns the ids of users whose accounts are deleted in the present database. */
async function listDeletedUsers(client: pg.Client): Promise<string[]> {
  const { rows: known } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('users') and attname = 'deleted_at'`,
  );
  if (known.length === 0) return [];
  const { rows } = await client.query<{ id: string }>('select id from users where deleted_at is not null');
  return rows.map(({ id }) => id);
}

async function load(
  client: pg.Client,
  storage: Storage,
  manifest: Manifest,
  entries: AsyncIterable<{ name: string; size: number; body: AsyncIterable<Buffer> }>,
): Promise<void> {
  await withoutForeignKeys(client, manifest, async () => {
    await client.query('create temporary table waiting_jobs (job jsonb) on commit drop');
    for await (const { name, size, body } of entries) {
      const [kind, table = ''] = name.split('/');
      if (kind === 'tables') await loadRows(client, manifest, table, body);
      else if (kind === 'jobs') await pipeline(body, client.query(copyFrom('copy waiting_jobs from stdin')));
      else if (kind === 'files') await loadFile(client, storage, name.slice('files/'.length), size, body);
      else await discard(body);
    }
  });
  await checkRows(client, manifest);
  await checkAuditEnd(client, manifest);
  for (const { name, value, called } of manifest.sequences)
    await client.query('select setval(quote_ident($1)::regclass, $2, $3)', [name, value, called]);
  await client.query('delete from jobs.job');
  // A job that was running starts again: jobs run at least once.
  await client.query(
    `insert into jobs.job select (jsonb_populate_record(null::jobs.job, job || jsonb_build_object('state', 'created',
       'started_on', null, 'heartbeat_on', null, 'keep_until', now() + interval '14 days'))).*
     from waiting_jobs where job->>'name' in (select name from jobs.queue)`,
  );
}

async function loadRows(
  client: pg.Client,
  { tables }: Manifest,
  name: string,
  body: AsyncIterable<Buffer>,
): Promise<void> {
  const table = tables.find((candidate) => candidate.name === name);
  if (!table) throw new Error(`the backup has rows of an unknown table, ${name}`);
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  await pipeline(body, client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${columns}) from stdin`)));
}

async function checkRows(client: pg.Client, { tables }: Manifest): Promise<void> {
  for (const { name, rows: expected } of tables) {
    const { rows } = await client.query<{ total: string }>(
      `select count(*) as total from ${pg.escapeIdentifier(name)}`,
    );
    if (Number(rows[0]?.total) !== expected)
      throw new Error(`${name} has ${rows[0]?.total} rows instead of ${expected}: nothing was changed.`);
  }
}

async function checkAuditEnd(client: pg.Client, { auditEnd }: Manifest): Promise<void> {
  if (auditEnd === undefined) return;
  const end = await readAuditEnd(client);
  if (end !== auditEnd)
    throw new Error(
      `Its audit log ends at ${end ?? 'nothing'} instead of ${auditEnd ?? 'nothing'}: nothing was changed.`,
    );
}

/** Overwriting an existing file is safe: names are random and never reused, so it has the same content. */
async function loadFile(
  client: pg.Client,
  storage: Storage,
  path: string,
  size: number,
  body: AsyncIterable<Buffer>,
): Promise<void> {
  await storage.put(path, Readable.from(body), { type: typeOfFile(path), size });
  await client.query('insert into restored_files values ($1)', [path]);
}

/** Erases the accounts that were deleted after the backup, so that the restore does not bring personal data back. */
async function eraseDeletedUsers(client: pg.Client, queue: Queue, deleted: string[]): Promise<number> {
  const tx: Tx = {
    query: async <Row extends object>(sql: string, params?: unknown[]) => (await client.query<Row>(sql, params)).rows,
    enqueue: (jobs) => queue.enqueue(tx, jobs),
    // No server is running that could be notified.
    notifyAfterCommit: () => {},
    invalidateSessions: () => {},
  };
  const users = await tx.query<Parameters<typeof eraseAccount>[1]>(
    'select id, role, status from users where id = any($1) and deleted_at is null',
    [deleted],
  );
  for (const user of users) await eraseAccount(tx, user, { actorId: null, at: new Date() });
  return users.length;
}

/** Deletes the files that only the replaced data referenced. Call after the commit: after a rollback they are still needed. */
async function removeOtherFiles(client: pg.Client, storage: Storage): Promise<void> {
  for (const folder of fileFolders) {
    for await (const { path } of storage.list(folder)) {
      const { rows } = await client.query('select from restored_files where path = $1', [path]);
      if (rows.length === 0 && !isUnfinished(path)) await storage.delete(path);
    }
  }
}

async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body);
}
