import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startConnectionWatchdog } from './connection-watchdog.ts';
import { cloneDatabase } from '../../testing/postgres.ts';

test('a slow statement is not cut while the database answers probes, even with no other traffic', async () => {
  const watched = startConnectionWatchdog(await cloneDatabase(), pino({ level: 'silent' }));
  const client = new pg.Client(watched.connection);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ one: number }>('select 1 as one from pg_sleep(2.5)');
  expect(rows).toEqual([{ one: 1 }]);
  await client.end();
  watched.close();
});

test('a database that accepts no further connection, not even a probe, is not silent', async () => {
  const connection = await cloneDatabase();
  const watched = startConnectionWatchdog(connection, pino({ level: 'silent' }));
  const client = new pg.Client(watched.connection);
  client.on('error', () => {});
  await client.connect();
  const other = new pg.Client({ ...connection, database: 'postgres' });
  await other.connect();
  await other.query(`alter database ${connection.database} allow_connections false`);
  await expect(new pg.Client(connection).connect()).rejects.toThrow(/not currently accepting connections/);
  const { rows } = await client.query<{ one: number }>('select 1 as one from pg_sleep(2.5)');
  expect(rows).toEqual([{ one: 1 }]);
  await Promise.all([client.end(), other.end()]);
  watched.close();
});
