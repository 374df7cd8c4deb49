import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';

type KeySettings = Pick<Config, 'BACKUP_KEY' | 'DATA_DIR'>;

export const backupKeyFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'backup.key');

/** What signs backups here: BACKUP_KEY, else what is in `backup.key` under DATA_DIR; null where there is neither. */
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

/** The same; the first backup without BACKUP_KEY makes the file. Of two at once both get the one that was there first. */
export async function ensureBackupKey(config: KeySettings): Promise<{ key: string; madeIn: string | null }> {
  const found = await findBackupKey(config);
  if (found !== null) return { key: found, madeIn: null };
  const file = backupKeyFile(config);
  await mkdir(dirname(file), { recursive: true });
  // Whole or not at all: a key cut off by a crash would sign what nobody can check later.
  const draft = `${file}.unfinished-${randomUUID()}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await handle.sync();
    await link(draft, file).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  const key = await findBackupKey(config);
  if (key === null) throw new Error(`${file} could not be made`);
  return { key, madeIn: file };
}

const signatureOf = (key: string, text: string): Buffer =>
  createHmac('sha256', key).update('waybill backup\n').update(text).digest();

/** An HMAC over a backup's manifest, whose checksum covers every part. */
export const sign = (key: string, text: string): string => signatureOf(key, text).toString('hex');

export function isSignedWith(key: string, text: string, signature: string): boolean {
  const right = signatureOf(key, text);
  const given = Buffer.from(signature, 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}
