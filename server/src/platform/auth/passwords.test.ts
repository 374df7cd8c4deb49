import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { eventually } from '../../testing/test-product.ts';
import { hashPassword, verifyPassword, replaceVerifier } from './passwords.ts';
import { cloneDatabase } from '../../testing/postgres.ts';

test('a real process hashes with 19 MiB and 2 passes, even in the environment of tests, which use cheap hashes', async () => {
  const connection = await cloneDatabase();
  const { host = '', port, user, database } = connection;
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'waybill-test-'));
  const DATABASE_URL = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const cli = join(import.meta.dirname, '../../cli.ts');
  await promisify(execFile)(
    process.execPath,
    [cli, 'create-admin', '--email', 'root@example.com', '--password', 'a long password'],
    { env: { ...process.env, DATABASE_URL, DATA_DIR } },
  );
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ password_hash: string }>('select password_hash from users');
  await client.end();
  rmSync(DATA_DIR, { recursive: true });
  expect(rows).toEqual([{ password_hash: expect.stringContaining('$argon2id$v=19$m=19456,t=2,p=1$') }]);
});

test('a full queue gives 503 without lasting effect: unknown accounts are answered again afterwards', async () => {
  const crowd = Array.from({ length: 22 }, () => hashPassword('secret'));
  const unknown = verifyPassword(null, 'nobody').catch(() => false);
  await expect(hashPassword('one too many')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
  await expect(verifyPassword('$argon2id$anything', 'somebody')).rejects.toMatchObject({ status: 503 });
  expect(await unknown).toBe(false);
  const [stored = ''] = await Promise.all(crowd);
  expect(await verifyPassword(null, 'nobody')).toBe(false);
  expect(await verifyPassword(null, 'nobody has this password')).toBe(false);
  expect(await verifyPassword(stored, 'secret')).toBe(true);
  expect(await verifyPassword(stored, 'Secret')).toBe(false);
});

test('the queue is fair between addresses, and a full one evicts from the address with the most entries', async () => {
  const started: string[] = [];
  const finish: (() => void)[] = [];
  const before = replaceVerifier((_stored, who) => {
    started.push(String(who));
    return new Promise((resolve) => finish.push(() => resolve(true)));
  });
  try {
    const crowd = Array.from({ length: 22 }, () => verifyPassword('stored', 'crowd', 'crowd').catch(() => 'refused'));
    const honest = verifyPassword('stored', 'honest', 'honest');
    expect(started).toEqual(['crowd', 'crowd']);
    finish[0]?.();
    await eventually('the next one starts', () => started.length === 3);
    expect(started[2]).toBe('honest');
    for (let done = 1; done < 22; done++) {
      await eventually('another one starts', () => finish.length > done);
      finish[done]?.();
    }
    expect(await honest).toBe(true);
    expect((await Promise.all(crowd)).filter((answer) => answer === 'refused')).toHaveLength(1);
  } finally {
    replaceVerifier(before);
  }
});
