import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { openLog } from '../observability/log.ts';
import { openStorage } from '../platform/storage/index.ts';
import { s3Settings } from '../platform/storage/s3.ts';
import { sourceOf } from '../settings/effective-settings.ts';
import type { StoredSettings } from '../settings/queries.ts';
import { backupKeyFile, findBackupKey } from './backup-key.ts';
import type { CheckResults } from './check-results.ts';

const openToAll = 'anybody can register as an administrator';

/** What strangers could make use of. */
export function judgeExposure(config: Config, findings: CheckResults): void {
  const before = findings.all.length;
  const { PUBLIC_URL, onlyLocal } = config;
  if (!onlyLocal && config.ADMIN_SIGNUP === 'open')
    findings.add('exposure', 'warn', `${openToAll}: set ADMIN_SIGNUP=approval or closed`);
  if (!onlyLocal && !config.RATE_LIMITS)
    findings.add('exposure', 'warn', 'RATE_LIMITS is off: nothing slows down an attacker; set it to on');
  if (!onlyLocal && !PUBLIC_URL)
    findings.add(
      'exposure',
      'warn',
      'PUBLIC_URL is not set, so no links can be made: set it to the address that people use',
    );
  if (!onlyLocal && PUBLIC_URL?.startsWith('http:'))
    findings.add('exposure', 'warn', 'PUBLIC_URL is without https: passwords travel in the open; put TLS in front');
  if (findings.all.length === before)
    findings.add(
      'exposure',
      'ok',
      onlyLocal ? 'only this machine reaches the server' : 'sign-up, limits and https are set',
    );
}

/** The same for what administrators have set themselves, where the environment leaves it to them. */
export function judgeSignUp(config: Config, stored: StoredSettings, findings: CheckResults): void {
  if (config.onlyLocal || sourceOf(config, stored, 'adminSignUp') !== 'settings' || stored.adminSignUp !== 'open')
    return findings.add('sign-up', 'ok', 'nobody becomes an administrator by the settings alone');
  findings.add('sign-up', 'warn', `${openToAll}: change it at /admin/settings, or set ADMIN_SIGNUP=approval or closed`);
}

/** What would be missed with this disk: a backup whose key is gone with it cannot be told from a forged one. */
export async function examineBackupKey(config: Config, findings: CheckResults): Promise<void> {
  if (config.BACKUP_KEY)
    return findings.add('backup key', 'ok', 'BACKUP_KEY signs backups: keep a copy of it elsewhere');
  const file = backupKeyFile(config);
  const key = await findBackupKey(config);
  if (key === null)
    return findings.add('backup key', 'ok', `the first backup makes ${file}: keep a copy of it elsewhere`);
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0)
    return findings.add('backup key', 'warn', `others on this machine may read ${file}: chmod 600 it`);
  findings.add('backup key', 'ok', `${file} signs backups: keep a copy of it elsewhere, not beside them`);
}

/** @param uid of the account that runs this, undefined where there are no numbers */
export function judgeAccount(uid: number | undefined, findings: CheckResults): void {
  if (uid !== 0) return findings.add('account', 'ok', 'not run by root');
  findings.add(
    'account',
    'warn',
    'run by root: whoever breaks into a server that is has the whole machine; give it an account of its own, which owns DATA_DIR',
  );
}

const mb = 1_000_000;

export async function judgeDisk({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, findings: CheckResults): Promise<void> {
  let folder = DATA_DIR;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, blocks, bsize } = await statfs(folder);
  judgeSpace(bavail * bsize, blocks * bsize, findings);
}

export function judgeSpace(free: number, total: number, findings: CheckResults): void {
  const share = free / total;
  const state = share < 0.02 || free < 200 * mb ? 'FAIL' : share < 0.1 ? 'warn' : 'ok';
  const says = `${Math.floor(free / mb)} MB (${Math.floor(share * 100)} %) free for DATA_DIR`;
  findings.add('disk', state, state === 'ok' ? says : `${says}: make room, or move it to a larger disk`);
}

/** Puts a small file among the uploads, reads it and removes it; what a crash leaves is purged like an unused upload. */
export async function examineStorage(config: Config, findings: CheckResults): Promise<void> {
  const s3 = s3Settings(config);
  if (s3 && 'missing' in s3) {
    const missing = s3.missing.join(', ');
    return findings.add('storage', 'FAIL', `${missing} must be set as well, or no S3_* setting at all`);
  }
  const storage = openStorage(config, openLog('silent'));
  const where = storage.kind === 's3' ? 'the bucket of S3_BUCKET' : 'the folder storage in DATA_DIR';
  const path = `incoming/doctor-${randomUUID()}`;
  const probe = Buffer.from('a probe');
  try {
    await storage.put(path, probe, { type: 'text/plain', size: probe.length });
    const found = await storage.get(path);
    const read: Buffer[] = [];
    for await (const chunk of found?.stream ?? []) read.push(chunk as Buffer);
    await storage.delete(path);
    if (!Buffer.concat(read).equals(probe)) throw new Error('it does not give back what was stored');
    findings.add('storage', 'ok', `${where} takes, gives and removes files`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const toDo = storage.kind === 's3' ? 'check its address, keys and rights' : 'the account of the server must own it';
    findings.add('storage', 'FAIL', `${where} fails (${reason}): ${toDo}`);
  } finally {
    storage.close();
  }
}

/** Asks the server that should be running here. @param holder who has the embedded PostgreSQL, in words */
export async function examineProduct(config: Config, holder: string | null, findings: CheckResults): Promise<void> {
  const address = / at (http\S+)$/.exec(holder ?? '')?.[1];
  if (!config.DATABASE_URL && !address)
    return findings.add('server', 'ok', holder ? `${holder} is starting, or at work` : 'does not run at the moment');
  const host = /^(0\.0\.0\.0|::)$/.test(config.HOST) ? 'localhost' : config.HOST;
  const url = address ?? `http://${host.includes(':') ? `[${host}]` : host}:${config.PORT}`;
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) }).catch((error: unknown) => error);
  if (answer instanceof Response) {
    const body = (await answer.text()).slice(0, 200);
    const says = `${url}/healthz answers ${answer.status}`;
    return answer.ok
      ? findings.add('server', 'ok', says)
      : findings.add('server', 'FAIL', `${says}: ${body}; its log tells more`);
  }
  if (!address) return findings.add('server', 'ok', `does not run at ${url} at the moment`);
  findings.add('server', 'FAIL', `${holder} does not answer ${url}/healthz: look at its log, and start it anew`);
}
