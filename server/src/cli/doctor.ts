import { readConfig, ConfigError, type Config } from '../config.ts';
import { defineCommand } from './command.ts';
import { checkDatabase } from './doctor-database.ts';
import {
  evaluateAccount,
  evaluateDisk,
  evaluateExposure,
  checkBackupKey,
  checkEngines,
  checkGeocoder,
  checkMail,
  checkSms,
  checkProduct,
  checkStorage,
} from './doctor-environment.ts';
import { CheckResults, type Finding } from './check-results.ts';

export const doctorCommand = defineCommand(
  {
    help: `npm run cli -- doctor [--json]

Checks settings, database, disk, storage, job queue, audit log and the running server, and tells what to do. Changes nothing.
Exit code 1 when anything FAILs.

  --json  the same as data: { "ok": …, "findings": [{ "check": …, "state": "ok" | "warn" | "FAIL", "says": … }] }`,
    options: { json: { type: 'boolean', default: false } },
  },
  async ({ json }) => {
    const findings = await runChecks(process.env);
    const ok = findings.every(({ state }) => state !== 'FAIL');
    if (json) console.log(JSON.stringify({ ok, findings }, null, 2));
    else for (const { check, state, says } of findings) console.log(`${state.padEnd(5)} ${check.padEnd(15)} ${says}`);
    return ok ? 0 : 1;
  },
);

/** Runs every check independently: a failing check does not hide the others. */
export async function runChecks(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const results = new CheckResults();
  const config = readSettings(environment, results);
  if (!config) return results.all;
  evaluateExposure(config, results);
  evaluateAccount(process.getuid?.(), results);
  await results.run('disk', () => evaluateDisk(config, results));
  await results.run('storage', () => checkStorage(config, results));
  await results.run('backup key', () => checkBackupKey(config, results));
  await results.run('mail', () => checkMail(config, results));
  await results.run('sms', () => checkSms(config, results));
  await results.run('geocoder', () => checkGeocoder(config, results));
  await results.run('engines', () => checkEngines(config, results));
  const holder = await checkDatabase(config, results);
  await results.run('server', () => checkProduct(config, holder, results));
  return results.all;
}

/**
 * Reads the settings without the faulty ones, so that the rest can be checked. Returns null if DATABASE_URL or DATA_DIR is faulty:
 * their defaults would be another installation.
 */
function readSettings(environment: NodeJS.ProcessEnv, results: CheckResults): Config | null {
  try {
    const config = readConfig(environment);
    results.add('configuration', 'ok', 'every setting can be read');
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.message.split('\n');
    for (const fault of faults) results.add('configuration', 'FAIL', `${fault}: the server does not start with it`);
    const faulty = new Set(faults.flatMap((fault) => fault.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []));
    if (faulty.has('DATABASE_URL') || faulty.has('DATA_DIR')) return null;
    return readConfig(Object.fromEntries(Object.entries(environment).filter(([name]) => !faulty.has(name))));
  }
}
