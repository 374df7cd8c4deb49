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
