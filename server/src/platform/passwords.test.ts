import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a full queue refuses with 503 and forgets it: unknown accounts are answered again afterwards', async () => {
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
