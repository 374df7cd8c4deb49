import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { openSms } from '../notifications/sms.ts';
import { openSmtp } from '../notifications/smtp.ts';
import { geocoderOf } from '../places/find-places.ts';
import { openLog } from '../observability/log.ts';
import { openHttpClient } from '../platform/outgoing/requests.ts';
import { openVroom } from '../plans/vroom.ts';
import { openStorage } from '../platform/storage/index.ts';
import { s3Settings } from '../platform/storage/s3.ts';
import { sourceOf } from '../settings/effective-settings.ts';
import type { StoredSettings } from '../settings/queries.ts';
import { estimateMatrix } from '../travel/estimate.ts';
import { openRouter } from '../travel/router.ts';
import { backupKeyFile, findBackupKey } from './backup-key.ts';
import type { CheckResults } from './check-results.ts';

const openToAll = 'anybody can register as an administrator';

/** Checks for settings that expose the server to strangers. */
export function evaluateExposure(config: Config, results: CheckResults): void {
  const before = results.all.length;
  const { PUBLIC_URL, onlyLocal } = config;
  if (!onlyLocal && config.ADMIN_SIGNUP === 'open')
    results.add('exposure', 'warn', `${openToAll}: set ADMIN_SIGNUP=approval or closed`);
  if (!onlyLocal && !config.RATE_LIMITS)
    results.add('exposure', 'warn', 'RATE_LIMITS is off: nothing slows down an attacker; set it to on');
  if (!onlyLocal && !PUBLIC_URL)
    results.add(
      'exposure',
      'warn',
      'PUBLIC_URL is not set, so no links can be made: set it to the address that people use',
    );
  if (!onlyLocal && PUBLIC_URL?.startsWith('http:'))
    results.add('exposure', 'warn', 'PUBLIC_URL is without https: passwords travel in the open; put TLS in front');
  if (results.all.length === before)
    results.add(
      'exposure',
      'ok',
      onlyLocal ? 'only this machine reaches the server' : 'sign-up, limits and https are set',
    );
}

/** Checks the sign-up setting that administrators control, unless the environment overrides it. */
export function evaluateSignUp(config: Config, stored: StoredSettings, results: CheckResults): void {
  if (config.onlyLocal || sourceOf(config, stored, 'adminSignUp') !== 'settings' || stored.adminSignUp !== 'open')
    return results.add('sign-up', 'ok', 'nobody becomes an administrator by the settings alone');
  results.add('sign-up', 'warn', `${openToAll}: change it at /admin/settings, or set ADMIN_SIGNUP=approval or closed`);
}

/** Checks that the backup key is protected: without the key, a genuine backup cannot be told from a forged one. */
export async function checkBackupKey(config: Config, results: CheckResults): Promise<void> {
  if (config.BACKUP_KEY)
    return results.add('backup key', 'ok', 'BACKUP_KEY signs backups: keep a copy of it elsewhere');
  const file = backupKeyFile(config);
  const key = await findBackupKey(config);
  if (key === null)
    return results.add('backup key', 'ok', `the first backup makes ${file}: keep a copy of it elsewhere`);
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0)
    return results.add('backup key', 'warn', `others on this machine may read ${file}: chmod 600 it`);
  results.add('backup key', 'ok', `${file} signs backups: keep a copy of it elsewhere, not beside them`);
}

/** @param uid of the account that runs this, undefined on platforms without numeric user ids */
export function evaluateAccount(uid: number | undefined, results: CheckResults): void {
  if (uid !== 0) return results.add('account', 'ok', 'not run by root');
  results.add(
    'account',
    'warn',
    'run by root: whoever breaks into a server that is has the whole machine; give it an account of its own, which owns DATA_DIR',
  );
}

const mb = 1_000_000;

export async function evaluateDisk({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, results: CheckResults): Promise<void> {
  let folder = DATA_DIR;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, blocks, bsize } = await statfs(folder);
  evaluateSpace(bavail * bsize, blocks * bsize, results);
}

export function evaluateSpace(free: number, total: number, results: CheckResults): void {
  const share = free / total;
  const state = share < 0.02 || free < 200 * mb ? 'FAIL' : share < 0.1 ? 'warn' : 'ok';
  const says = `${Math.floor(free / mb)} MB (${Math.floor(share * 100)} %) free for DATA_DIR`;
  results.add('disk', state, state === 'ok' ? says : `${says}: make room, or move it to a larger disk`);
}

/** Writes, reads and deletes a small file among the uploads; if a crash leaves it behind, it is purged like an unused upload. */
export async function checkStorage(config: Config, results: CheckResults): Promise<void> {
  const s3 = s3Settings(config);
  if (s3 && 'missing' in s3) {
    const missing = s3.missing.join(', ');
    return results.add('storage', 'FAIL', `${missing} must be set as well, or no S3_* setting at all`);
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
    results.add('storage', 'ok', `${where} takes, gives and removes files`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const toDo = storage.kind === 's3' ? 'check its address, keys and rights' : 'the account of the server must own it';
    results.add('storage', 'FAIL', `${where} fails (${reason}): ${toDo}`);
  } finally {
    storage.close();
  }
}

/** Probes the health check of the server that should run here. @param holder describes the owner of the embedded PostgreSQL */
export async function checkProduct(config: Config, holder: string | null, results: CheckResults): Promise<void> {
  const address = / at (http\S+)$/.exec(holder ?? '')?.[1];
  if (!config.DATABASE_URL && !address)
    return results.add('server', 'ok', holder ? `${holder} is starting, or at work` : 'does not run at the moment');
  const host = /^(0\.0\.0\.0|::)$/.test(config.HOST) ? 'localhost' : config.HOST;
  const url = address ?? `http://${host.includes(':') ? `[${host}]` : host}:${config.PORT}`;
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) }).catch((error: unknown) => error);
  if (answer instanceof Response) {
    const body = (await answer.text()).slice(0, 200);
    const says = `${url}/healthz answers ${answer.status}`;
    return answer.ok
      ? results.add('server', 'ok', says)
      : results.add('server', 'FAIL', `${says}: ${body}; its log tells more`);
  }
  if (!address) return results.add('server', 'ok', `does not run at ${url} at the moment`);
  results.add('server', 'FAIL', `${holder} does not answer ${url}/healthz: look at its log, and start it anew`);
}

/** Asks the provider of text messages for its account; a gateway can only be asked whether it answers. */
export async function checkSms(config: Config, results: CheckResults): Promise<void> {
  const transport = openSms(config);
  if (!transport) {
    results.add('sms', 'ok', 'not configured: text messages are held in the outbox (TWILIO_ACCOUNT_SID or SMS_URL)');
    return;
  }
  try {
    await transport.verify();
    results.add('sms', 'ok', config.SMS_URL ? 'the gateway answers' : 'Twilio knows the account');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    results.add('sms', 'FAIL', `text messages cannot be handed over: ${reason}. They wait for up to a day`);
  } finally {
    transport.close();
  }
}

/** Asks the geocoder for a place that every one knows. */
export async function checkGeocoder(config: Config, results: CheckResults): Promise<void> {
  const geocoder = geocoderOf(config);
  if (!geocoder) {
    results.add('geocoder', 'ok', 'not configured: places come from address books and pins (GEOCODER_URL)');
    return;
  }
  try {
    const found = await geocoder.search('Berlin', null);
    if (found.length === 0) results.add('geocoder', 'warn', 'the geocoder of GEOCODER_URL does not know Berlin');
    else results.add('geocoder', 'ok', `the geocoder answers (${geocoder.name})`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    results.add(
      'geocoder',
      'FAIL',
      `the geocoder of GEOCODER_URL does not answer as ${geocoder.name}: ${reason}. Addresses wait for up to a day`,
    );
  }
}

/** Connects to the mail server and signs in there. */
export async function checkMail({ SMTP_URL: url, MAIL_FROM: from }: Config, results: CheckResults): Promise<void> {
  if (!url || !from) {
    results.add('mail', 'ok', 'not configured: emails are held in the outbox (SMTP_URL)');
    return;
  }
  const transport = openSmtp(url, from);
  try {
    await transport.verify();
    results.add('mail', 'ok', `the mail server takes emails from ${from}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    results.add(
      'mail',
      'FAIL',
      `the mail server of SMTP_URL does not take emails: ${reason}. They wait for up to a day`,
    );
  } finally {
    transport.close();
  }
}

/** Asks the routing engine for a matrix, and VROOM for a route of one stop. */
export async function checkEngines(config: Config, results: CheckResults): Promise<void> {
  const places = [
    { lon: 13.3777, lat: 52.5163 },
    { lon: 13.4132, lat: 52.5219 },
  ];
  if (config.ROUTER_URL === undefined) results.add('router', 'ok', 'not configured: drives are estimated (ROUTER_URL)');
  else {
    const http = openHttpClient({ publicOnly: false, timeoutMs: 5000 });
    const start = performance.now();
    try {
      const { seconds } = await openRouter(config.ROUTER_KIND, config.ROUTER_URL, http).block(places, places);
      const took = `${Math.round(performance.now() - start)} ms`;
      if (seconds.some((cell) => cell === null))
        results.add(
          'router',
          'warn',
          `the router answers (${config.ROUTER_KIND}, ${took}), but has no roads in Berlin`,
        );
      else results.add('router', 'ok', `the router answers (${config.ROUTER_KIND}, ${took})`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      results.add(
        'router',
        'warn',
        `the router of ROUTER_URL does not answer as ${config.ROUTER_KIND} for places in Berlin: ${reason}. Drives are estimated if it does not know yours either`,
      );
    } finally {
      http.close();
    }
  }
  if (config.OPTIMIZER_URL === undefined)
    return results.add('optimizer', 'ok', 'not configured: the built-in one plans days (OPTIMIZER_URL)');
  try {
    const matrix = estimateMatrix(places);
    const stop = { id: 'stop', place: 1, serviceSeconds: 60, windows: [], kilograms: 1, skills: [], penalty: 100_000 };
    const shift = [0, 86_400] as const;
    const limits = { capacityKg: null, maxStops: null, skills: [], fixedCost: 0 };
    const vehicle = { id: 'vehicle', shift, start: 0, end: 0, ...limits };
    const problem = { matrix, stops: [stop], vehicles: [vehicle], costs: { perSecond: 1, perMetre: 0 } };
    const { routes } = await openVroom(config.OPTIMIZER_URL).solve(problem, 1, AbortSignal.timeout(6000));
    if (routes.length === 0)
      results.add('optimizer', 'warn', 'VROOM answers, but leaves out a stop that is easy to reach');
    else results.add('optimizer', 'ok', 'VROOM answers');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    results.add('optimizer', 'FAIL', `VROOM at OPTIMIZER_URL does not answer: ${reason}. The built-in optimizer plans`);
  }
}
