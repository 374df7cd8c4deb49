import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openLongRunning } from './cursors-and-locks.ts';
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
