import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { folders } from '../images/names.ts';
import { openLog } from '../observability/log.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import { directOf, type Connection } from '../platform/database/database-url.ts';
import { openStorage } from '../platform/storage/index.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { writeArchive, type ArchiveWriter, type Manifest } from './archive.ts';
import { ensureBackupKey } from './backup-key.ts';
import { defineCommand } from './command.ts';
import { withPostgres } from './database.ts';
import { listSequences, listTables, type Table } from './tables.ts';
import { showProgress, type Progress } from './progress-bar.ts';

export const backupCommand = defineCommand(
  {
    help: `npm run cli -- backup [file]

Saves the database and all images into one file (waybill-<date and time>.tar.gz unless named), as they are at one moment,
beside a running server or without one. What is in the file is as secret as the database: it holds personal data and keys.
It is signed by BACKUP_KEY, else by DATA_DIR/backup.key, which the first backup makes: keep a copy of that key elsewhere.`,
    options: {},
    operands: 1,
  },
  async (_values, [name]) => {
    const file = resolve(name ?? `waybill-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`);
    await withPostgres(async ({ config, connection }) => {
      const storage = openStorage(config, openLog('warn'));
      const progress = showProgress();
      try {
        const { key, createdFile } = await ensureBackupKey(config);
        const { tables, files } = await backUp({ connection, storage, file, key, progress });
        progress.end();
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        console.log(`Saved ${rows} rows of ${tables.length} tables and ${files} files in ${file}`);
        if (createdFile)
          console.log(
            `Signed with a new key, ${createdFile}: keep a copy of it elsewhere, or restore cannot check this backup.`,
          );
      } finally {
        storage.close();
      }
    });
  },
);

/** The folders with the product's files in the storage; half-written uploads among them are excluded by `isUnfinished`. */
export const fileFolders = [...folders, 'incoming'].map((folder) => `${folder}/`);
export const isUnfinished = (path: string): boolean => path.startsWith('incoming/unfinished/');

interface BackupOptions {
  connection: Connection;
  storage: Storage;
  file: string;
  /** The key that signs the backup. */
  key: string;
  progress: Progress;
}

type Contents = Omit<Manifest, 'format' | 'sha256' | 'signature'>;

/**
 * Saves one snapshot of the database, then the files. Images are deleted a day after their last use at the earliest, so no image
 * of the snapshot is missing.
 */
export async function backUp({ connection, storage, file, key, progress }: BackupOptions): Promise<Contents> {
  if (existsSync(file)) throw new Error(`${file} is there already: choose another name.`);
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)}.`);
  const client = new DatabaseClient({ ...directOf(connection), role: 'backup' });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const migrations = await readMigrations(client);
    let contents: Contents | undefined;
    await writeArchive(file, key, async (archive) => {
      const tables = await saveTables(client, archive, progress);
      // Read after the tables: a number allocated meanwhile is skipped rather than assigned twice.
      const sequences = await listSequences(client);
      await saveJobs(client, archive);
      const files = await saveFiles(storage, archive, progress);
      const auditEnd = await readAuditEnd(client);
      contents = { madeAt: new Date().toISOString(), migrations, tables, sequences, files, auditEnd };
      return contents;
    });
    if (!contents) throw new Error('the backup was not written');
    return contents;
  } finally {
    await client.end();
  }
}

/** The end of the audit log as `cli audit` prints it; null while it is empty. */
export async function readAuditEnd(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ end: string }>(
    `select id || ':' || encode(hash, 'hex') as end from audit order by id desc limit 1`,
  );
  return rows[0]?.end ?? null;
}

async function readMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('schema_migrations') is not null as there",
  );
  if (!rows[0]?.there) throw new Error('There is nothing to save: this database has never been used by Waybill.');
  const migrations = await client.query<{ name: string }>('select name from schema_migrations order by name');
  return migrations.rows.map(({ name }) => name);
}

async function saveTables(client: pg.Client, archive: ArchiveWriter, progress: Progress): Promise<Manifest['tables']> {
  const tables = await listTables(client);
  // Blocks migrations of a newer server that starts now: it waits for the lock, or reports that it cannot get it.
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  await client.query(`lock table ${names.join(', ')} in access share mode`);
  const total = tables.reduce((sum, table) => sum + table.bytes, 0);
  let before = 0;
  progress.step('tables');
  const saved: Manifest['tables'] = [];
  for (const table of tables) {
    const rows = await saveRows(client, archive, `tables/${table.name}`, selectAll(table), (bytes) =>
      progress.move(before + Math.min(bytes, table.bytes), total),
    );
    before += table.bytes;
    saved.push({ name: table.name, columns: table.columns, rows });
  }
  progress.move(total, total);
  return saved;
}

const selectAll = ({ name, columns }: Table): string =>
  `select ${columns.map((column) => pg.escapeIdentifier(column)).join(', ')} from ${pg.escapeIdentifier(name)}`;

/** Saves the unfinished jobs: pending, waiting for a retry or running. */
async function saveJobs(client: pg.Client, archive: ArchiveWriter): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>("select to_regclass('jobs.job') is not null as there");
  if (!rows[0]?.there) return;
  const waiting = "select to_jsonb(job) from jobs.job where state in ('created', 'retry', 'active')";
  await saveRows(client, archive, 'jobs', waiting, () => {});
}

const partBytes = 4_000_000;

/**
 * Writes rows in parts that end with a row: tar needs each entry's length in advance, and each part can be loaded on its own.
 * @returns the number of rows
 */
async function saveRows(
  client: pg.Client,
  archive: ArchiveWriter,
  name: string,
  select: string,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const rows = client.query(copyTo(`copy (${select}) to stdout`));
  let part: Buffer[] = [];
  let size = 0;
  let bytes = 0;
  let parts = 0;
  const flush = async (): Promise<void> => {
    const whole = Buffer.concat(part);
    const end = whole.lastIndexOf('\n') + 1;
    if (end === 0) return;
    await archive.add(`${name}/${String(++parts).padStart(6, '0')}`, end, singleChunk(whole.subarray(0, end)));
    part = [whole.subarray(end)];
    size = whole.length - end;
  };
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    part.push(chunk);
    size += chunk.length;
    onBytes((bytes += chunk.length));
    if (size >= partBytes) await flush();
  }
  await flush();
  return rows.rowCount;
}

async function saveFiles(storage: Storage, archive: ArchiveWriter, progress: Progress): Promise<number> {
  progress.step('files');
  let total = 0;
  for (const folder of fileFolders) for await (const { size } of storage.list(folder)) total += size;
  let files = 0;
  let done = 0;
  for (const folder of fileFolders) {
    for await (const { path } of storage.list(folder)) {
      // It may have been deleted since it was listed.
      const found = isUnfinished(path) ? null : await storage.get(path);
      if (!found) continue;
      await archive.add(`files/${path}`, found.size, found.stream);
      files++;
      progress.move((done += found.size), total);
    }
  }
  return files;
}

// oxlint-disable-next-line typescript/require-await -- a stream of one chunk
async function* singleChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
