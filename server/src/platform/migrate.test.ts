import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Connection } from './db.ts';
import { migrate } from './migrate.ts';
import { cloneDatabase } from './testing-postgres.ts';

const files = (await readdir(join(import.meta.dirname, '../../migrations'))).toSorted();

async function query<Row extends object>(connection: Connection, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A database with nothing in it, not even the schema. */
async function emptyDatabase(): Promise<Connection> {
  const beside = await cloneDatabase();
  const database = `${beside.database ?? ''}_empty`;
  await query(beside, `create database ${database} template template0`);
  return { ...beside, database };
}

test('five programs that start at once on an empty database make the schema once', async () => {
  const connection = await emptyDatabase();
  const lines: string[] = [];
  await Promise.all(Array.from({ length: 5 }, () => migrate(connection, (line) => lines.push(line))));
  expect(lines.map((line) => line.replace('migrated the database: ', ''))).toEqual(files);
  const applied = await query<{ name: string }>(connection, 'select name from schema_migrations order by name');
  expect(applied.map(({ name }) => name)).toEqual(files);
  await migrate(connection, (line) => lines.push(line));
  expect(lines).toHaveLength(files.length);
});

test('a database that is newer than the program is refused by name, and left alone', async () => {
  const connection = await cloneDatabase();
  await query(connection, "insert into schema_migrations (name) values ('9999_from_the_future.sql')");
  await expect(migrate(connection, () => {})).rejects.toThrow(
    'The database is newer than this program (it has 9999_from_the_future.sql): start the newer version of Waybill.',
  );
});

test('one that is older is brought up to date, also while somebody reads from it', async () => {
  const connection = await cloneDatabase();
  const last = files.at(-1) ?? '';
  // As if the last file had never run: everything it made is gone.
  await query(connection, `drop schema public cascade`);
  await query(connection, 'create schema public');
  const reader = new pg.Client(connection);
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from pg_class');
  const lines: string[] = [];
  await migrate(connection, (line) => lines.push(line));
  expect(lines.at(-1)).toContain(last);
  await reader.query('commit');
  await reader.end();
});
