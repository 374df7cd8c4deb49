import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openLongRunning } from './cursors-and-locks.ts';
import type { Replica } from './replica.ts';
import { cloneDatabase } from '../../testing/postgres.ts';

test('an advisory lock excludes a second process for the same name, and is released when the work fails', async () => {
  const connection = await cloneDatabase();
  const [one, other] = [0, 1].map(() => openLongRunning(connection, 15, pino({ level: 'silent' }), 2));
  if (!one || !other) throw new Error('no connections');
  const began: string[] = [];
  await expect(
    one.withAdvisoryLock('this', async () => {
      expect(await other.withAdvisoryLock('this', async () => began.push('the same elsewhere'))).toBeNull();
      await other.withAdvisoryLock('that', async () => began.push('another elsewhere'));
      throw new Error('in the middle');
    }),
  ).rejects.toThrow('in the middle');
  expect(await other.withAdvisoryLock('this', async () => began.push('the next'))).toBe(2);
  expect(began).toEqual(['another elsewhere', 'the next']);
  await Promise.all([one.close(), other.close()]);
});

test('an export whose replica fails with the first rows is read from the primary, once', async () => {
  const connection = await cloneDatabase();
  const failed: string[] = [];
  const replica = {
    async begin(read: (client: pg.PoolClient) => Promise<unknown>) {
      const standby = new pg.Pool({ ...connection, max: 1 });
      const client = await standby.connect();
      await read(client);
      await client.query('select 1 / 0').catch((error: unknown) => failed.push(String(error)));
      client.release(true);
      await standby.end();
      return null;
    },
  } as unknown as Replica;
  const { streamRows, close } = openLongRunning(connection, 15, pino({ level: 'silent' }), 1, replica);
  const numbers: number[] = [];
  // Twice: the only connection is used again.
  for (let time = 0; time < 2; time++)
    for await (const rows of streamRows<{ n: number }>(
      'select n from generate_series(1, $1::int) n',
      [300],
      new AbortController().signal,
    ))
      numbers.push(...rows.map(({ n }) => n));
  const all = Array.from({ length: 300 }, (_, index) => index + 1);
  expect(numbers).toEqual([...all, ...all]);
  expect(failed).toHaveLength(2);
  await close();
});
