import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';

type KeySettings = Pick<Config, 'BACKUP_KEY' | 'DATA_DIR'>;

export const backupKeyFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'backup.key');

/**
 * Returns the key that signs backups: BACKUP_KEY, else the content of `backup.key` in DATA_DIR; null if there is neither.
 * @throws Error if the file holds less than 16 characters
 */
export async function findBackupKey(config: KeySettings): Promise<string | null> {
  if (config.BACKUP_KEY) return config.BACKUP_KEY;
  const file = backupKeyFile(config);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const key = text.trim();
  if (key.length < 16) throw new Error(`${file} holds no key: put back the copy of it, or remove it for a new one.`);
  return key;
}

/** Like `findBackupKey`, but creates the file if there is no key. When two processes race, both get the key of the first. */
export async function ensureBackupKey(config: KeySettings): Promise<{ key: string; createdFile: string | null }> {
  const found = await findBackupKey(config);
  if (found !== null) return { key: found, createdFile: null };
  const file = backupKeyFile(config);
  await mkdir(dirname(file), { recursive: true });
  // Create the file atomically: backups signed with a key that a crash truncated could not be verified later.
  const temporaryFile = `${file}.unfinished-${randomUUID()}`;
  const handle = await open(temporaryFile, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await handle.sync();
    await link(temporaryFile, file).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  } finally {
    await handle.close();
    await rm(temporaryFile, { force: true });
  }
  const key = await findBackupKey(config);
  if (key === null) throw new Error(`${file} could not be made`);
  return { key, createdFile: file };
}

const signatureOf = (key: string, text: string): Buffer =>
  createHmac('sha256', key).update('waybill backup\n').update(text).digest();

/** Returns the HMAC of a backup's manifest (hex); the manifest's checksum covers every entry. */
export const sign = (key: string, text: string): string => signatureOf(key, text).toString('hex');

export function isSignedWith(key: string, text: string, signature: string): boolean {
  const expected = signatureOf(key, text);
  const actual = Buffer.from(signature, 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
