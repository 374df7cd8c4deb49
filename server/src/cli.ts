import { enableCompileCache } from 'node:module';
import type { Command } from './cli/command.ts';

enableCompileCache();

/** Every command: a one-line description, and its module, loaded on demand. */
const commands: Record<string, { about: string; load: () => Promise<Command> }> = {
  migrate: {
    about: 'brings the database up to this version',
    load: async () => (await import('./cli/migrate.ts')).migrateCommand,
  },
  'create-admin': {
    about: 'makes an administrator',
    load: async () => (await import('./cli/create-admin.ts')).createAdminCommand,
  },
  'remove-second-factor': {
    about: 'lets somebody without phone and recovery codes sign in with the password alone',
    load: async () => (await import('./cli/remove-second-factor.ts')).removeSecondFactorCommand,
  },
  seed: {
    about: 'fills an empty database with demo data',
    load: async () => (await import('./cli/seed.ts')).seedCommand,
  },
  doctor: {
    about: 'checks everything that this installation needs, and tells what to do',
    load: async () => (await import('./cli/doctor.ts')).doctorCommand,
  },
  audit: {
    about: 'checks the audit log, and prints its end to be kept elsewhere',
    load: async () => (await import('./cli/audit.ts')).auditCommand,
  },
  jobs: {
    about: 'lists the jobs that wait or have failed, and runs failed ones again',
    load: async () => (await import('./cli/jobs.ts')).jobsCommand,
  },
  purge: {
    about: 'removes what is not to be kept any longer',
    load: async () => (await import('./cli/purge.ts')).purgeCommand,
  },
  rebuild: {
    about: 'writes anew what is derived from packages: search texts, public views, references, counts',
    load: async () => (await import('./cli/rebuild.ts')).rebuildCommand,
  },
  map: {
    about: 'makes an .osm.pbf extract of OpenStreetMap the map: streets, addresses, roads',
    load: async () => (await import('./cli/map.ts')).mapCommand,
  },
  simulate: {
    about: 'owners and drivers who work with a running product, live',
    load: async () => (await import('./cli/simulate.ts')).simulateCommand,
  },
  backup: {
    about: 'saves the database and the images into one file',
    load: async () => (await import('./cli/backup.ts')).backupCommand,
  },
  restore: {
    about: 'brings back what a backup holds, in place of what there is',
    load: async () => (await import('./cli/restore.ts')).restoreCommand,
  },
};

const usage = `npm run cli -- <command> [options]

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(22)}${about}`)
  .join('\n')}

Each tells more with --help. All use the settings of the server (DATA_DIR, DATABASE_URL and so on), work beside a running
one unless they say otherwise, and start the embedded PostgreSQL by themselves where none runs.
Exit codes: 0 done, 1 failed, 2 called wrongly.`;

async function main([name = '', ...args]: string[]): Promise<number> {
  if (['', 'help', '--help', '-h'].includes(name)) {
    console.log(usage);
    return name === '' ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.error(`There is no command '${name}'.\n\n${usage}`);
    return 2;
  }
  return (await command.load()).run(args);
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  // A sentence that says what is wrong and what to do, not a stack trace.
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
