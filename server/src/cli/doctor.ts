import { readConfig, ConfigError, type Config } from '../config.ts';
import { defineCommand } from './command.ts';
import { examineDatabase } from './doctor-database.ts';
import {
  judgeAccount,
  judgeDisk,
  judgeExposure,
  examineBackupKey,
  examineProduct,
  examineStorage,
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
    const findings = await examine(process.env);
    const ok = findings.every(({ state }) => state !== 'FAIL');
    if (json) console.log(JSON.stringify({ ok, findings }, null, 2));
    else for (const { check, state, says } of findings) console.log(`${state.padEnd(5)} ${check.padEnd(15)} ${says}`);
    return ok ? 0 : 1;
  },
);

/** Every check, each on its own: one that fails hides none of the others. */
export async function examine(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const findings = new CheckResults();
  const config = readSettings(environment, findings);
  if (!config) return findings.all;
  judgeExposure(config, findings);
  judgeAccount(process.getuid?.(), findings);
  await findings.run('disk', () => judgeDisk(config, findings));
  await findings.run('storage', () => examineStorage(config, findings));
  await findings.run('backup key', () => examineBackupKey(config, findings));
  findings.add('mail', 'ok', 'not configured: notifications stay in the app');
  const holder = await examineDatabase(config, findings);
  await findings.run('server', () => examineProduct(config, holder, findings));
  return findings.all;
}

/** The settings without those that are faulty, so that the rest can be checked; null where that would be another installation. */
function readSettings(environment: NodeJS.ProcessEnv, findings: CheckResults): Config | null {
  try {
    const config = readConfig(environment);
    findings.add('configuration', 'ok', 'every setting can be read');
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.message.split('\n');
    for (const fault of faults) findings.add('configuration', 'FAIL', `${fault}: the server does not start with it`);
    const faulty = new Set(faults.flatMap((fault) => fault.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []));
    if (faulty.has('DATABASE_URL') || faulty.has('DATA_DIR')) return null;
    return readConfig(Object.fromEntries(Object.entries(environment).filter(([name]) => !faulty.has(name))));
  }
}
