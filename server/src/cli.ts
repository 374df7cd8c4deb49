import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { RegisterInput } from '@waybill/contract';
import { readConfig } from './config.ts';
import { openLog } from './log.ts';
import { createDb, inspectServer, openPool, type Connection, type Db } from './platform/db.ts';
import { useEmbeddedPostgres } from './platform/embedded-postgres.ts';
import { migrate } from './platform/migrate.ts';
import { createAccount } from './users/service.ts';

const usage = `npm run cli -- <command>

  create-admin [--email E] [--name N]   makes an administrator; asks for what is missing. The password is asked for,
                                        or read from standard input when that is not a terminal
  migrate                               brings the database up to this version
`;

const log = openLog('warn');

/** Opens the configured database, beside a running server if there is one, for one piece of work. */
async function withDatabase(work: (db: Db, connection: Connection) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const postgres = config.DATABASE_URL ? null : await useEmbeddedPostgres({ dataDir: config.DATA_DIR, log: () => {} });
  const connection = postgres?.connection ?? { connectionString: config.DATABASE_URL };
  try {
    const { version } = await inspectServer(connection);
    await migrate(connection, (line) => console.log(line));
    const pool = openPool(connection, version, log, 1);
    try {
      await work(
        createDb(
          pool,
          async () => {},
          () => {},
        ),
        connection,
      );
    } finally {
      await pool.close();
    }
  } finally {
    await postgres?.stop();
  }
}

async function makeAdmin(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { email: { type: 'string' }, name: { type: 'string' } } });
  const asked = await ask(values);
  const input = RegisterInput.safeParse({ ...asked, role: 'admin' });
  if (!input.success) throw new Error(input.error.issues.map((issue) => issue.message).join('\n'));
  await withDatabase(async (db) => void (await createAccount(db, input.data)));
  console.log(`${input.data.email} can sign in as an administrator now.`);
}

async function ask({ email, name = 'Administrator' }: { email?: string | undefined; name?: string | undefined }) {
  if (!process.stdin.isTTY) {
    let piped = '';
    for await (const chunk of process.stdin) piped += String(chunk);
    return { email: email ?? '', name, password: piped.replace(/\r?\n$/, '') };
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return {
      email: email ?? (await prompt.question('E-mail: ')),
      name,
      password: await prompt.question('Password (at least 6 characters): '),
    };
  } finally {
    prompt.close();
  }
}

const commands: Record<string, (args: string[]) => Promise<void>> = {
  'create-admin': makeAdmin,
  migrate: () => withDatabase(async () => console.log('The database is up to date.')),
};

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  console.error(usage);
  process.exitCode = 2;
} else {
  await command(args).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
