import { pino } from 'pino';
import { expect, test } from 'vitest';
import { alone } from './alone.ts';
import { openPool } from './db.ts';
import { cloneDatabase } from './testing-postgres.ts';

test('what one process is at no other one begins, and when it has failed the next one may', async () => {
  const connection = await cloneDatabase();
  const [one, other] = [0, 1].map(() => openPool(connection, 18, pino({ level: 'silent' }), 2));
  if (!one || !other) throw new Error('no pools');
  const began: string[] = [];
  await expect(
    alone(one, 1, async () => {
      await alone(other, 1, async () => void began.push('the same elsewhere'));
      await alone(other, 2, async () => void began.push('another elsewhere'));
      throw new Error('in the middle');
    }),
  ).rejects.toThrow('in the middle');
  await alone(other, 1, async () => void began.push('the next'));
  expect(began).toEqual(['another elsewhere', 'the next']);
  await Promise.all([one.close(), other.close()]);
});
