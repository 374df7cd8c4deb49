import { spawn } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { externalDatabase, readConfig, type Config } from './config.ts';
import { logDemoAccounts } from './demo/accounts.ts';
import { openLog, standardOutput } from './observability/log.ts';
import { createDb, openPool, type Connection } from './platform/database/db.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts';
import { inspectServer } from './platform/database/inspect-server.ts';
import { migrate } from './platform/database/migrate.ts';
import { countForWorkers } from './platform/live/stream-limits.ts';
import { openServer, type Server } from './server.ts';
import { warmUpCreates } from './packages/warm-up.ts';
import { releaseUnusedMemory } from './platform/unused-memory.ts';
import { openSettings } from './settings/effective-settings.ts';
import { endedByError, uncaughtError } from './observability/uncaught-errors.ts';
import { ensureFirstAdmin, hasUsers, signUpPolicy, type SignUpPolicies } from './users/service.ts';

/** The limit of a graceful shutdown; after that the process is killed. */
const stopWithinMs = 14_000;

interface Serving {
  address: string;
  stop(): Promise<void>;
}

/** The primary process, which owns the database: starts everything in order, and shuts down gracefully on SIGTERM or Ctrl+C. */
export async function runPrimary(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment);
  const log = openLog(config.LOG_LEVEL, standardOutput(config.LOG_FORMAT));
  const uncaught = uncaughtError(log).then(() => 'uncaught');
  const stopping = stopSignal();
  const external = externalDatabase(config);
  const postgres = external
    ? null
    : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log: (line) => log.info(line) });
  const connection = external ?? postgres?.connection ?? {};
  let serving: Serving | null = null;
  try {
    await assertPortFree(config);
    const policy = await prepareDatabase(config, environment, connection, log);
    serving =
      config.WORKERS > 1 ? await serveFromWorkers(config, connection, log) : await serveHere(config, connection, log);
    await postgres?.setAddress(serving.address);
    logStartup(config, policy, serving.address, log);
    if ((await Promise.race([stopping, uncaught])) === 'uncaught') throw endedByError();
    log.info('stopping');
  } finally {
    await stopAll(serving, postgres, log);
  }
}

/** Migrates the database, seeds it where configured, and ensures a first administrator. @returns the sign-up policies */
async function prepareDatabase(
  config: Config,
  environment: NodeJS.ProcessEnv,
  connection: Connection,
  log: Logger,
): Promise<SignUpPolicies> {
  const { version } = await inspectServer(connection).catch((error: unknown) => {
    if (!config.DATABASE_URL || !(error instanceof Error) || !('code' in error)) throw error;
    throw new Error(`The database of DATABASE_URL cannot be reached: ${error.message || String(error.code)}`, {
      cause: error,
    });
  });
  await migrate(connection, (line) => log.info(line));
  const pool = openPool(connection, version, log, 1, { role: 'start' });
  try {
    const db = createDb(
      pool,
      async () => {},
      () => {},
    );
    if (config.DEMO && config.onlyLocal && !config.DATABASE_URL) {
      if (await hasUsers(db)) await logDemoAccounts(db, log);
      else await seedDemo(environment, connection);
    }
    if (await ensureFirstAdmin(db, config)) log.info('made the first administrator from ADMIN_EMAIL');
    return await signUpPolicy({ settings: await openSettings(db, config) }, { isLocal: true });
  } finally {
    await pool.close();
  }
}

/** Fills an empty database with the demo, in a child process: its memory, 70 MB, is free again when it exits. */
async function seedDemo(environment: NodeJS.ProcessEnv, connection: Connection): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, 'demo/seed-process.ts')], {
    env: { ...environment, WAYBILL_CONNECTION: JSON.stringify(connection) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The demo data could not be made; the message stands above.');
}

async function serveHere(config: Config, connection: Connection, log: Logger): Promise<Serving> {
  const server = await openServer({ config, connection, log, runsJobs: true });
  try {
    return { address: await listen(server, config), stop: server.close };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Binds the port briefly, so that a taken port fails before anything is created or printed. */
async function assertPortFree(config: Config): Promise<void> {
  const trial = createServer();
  try {
    trial.listen(config.PORT, config.HOST);
    await once(trial, 'listening');
  } catch (error) {
    throw cannotListen(config, error);
  } finally {
    trial.close();
  }
}

/** Warms up where other servers may go on meanwhile, then starts serving. @throws an error with a sentence that names the port if it is taken */
export async function listen(server: Server, config: Config): Promise<string> {
  if (config.DATABASE_URL) {
    // Last, so that what the server does by itself has its connections already.
    await warmUpCreates(server.ctx).catch((error: unknown) =>
      server.ctx.log.warn({ reason: String(error) }, 'the server could not warm up'),
    );
  }
  releaseUnusedMemory();
  try {
    return await server.app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    throw cannotListen(config, error);
  }
}

function cannotListen({ HOST, PORT }: Config, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const why =
    error.code === 'EADDRINUSE'
      ? `Port ${PORT} on ${HOST} is taken by another program: stop it, or set PORT to another.`
      : `Waybill cannot listen on ${HOST}:${PORT}: ${error.message}`;
  return new Error(why, { cause: error });
}

/** Forks the workers, which serve requests and run jobs. A worker that dies is replaced after 200 ms. */
async function serveFromWorkers(config: Config, connection: Connection, log: Logger): Promise<Serving> {
  let stopped = false;
  const numbers = new Map<number, number>();
  const readyWorkers = new Set<number>();
  const fork = (number: number) => {
    const worker = cluster.fork({ WAYBILL_CONNECTION: JSON.stringify(connection), WAYBILL_WORKER: String(number) });
    numbers.set(worker.id, number);
    worker.on('message', (message: { ready?: string }) => message.ready && readyWorkers.add(worker.id));
    return worker;
  };
  countForWorkers();
  cluster.setupPrimary({ execArgv: process.execArgv });
  const workers = Array.from({ length: config.WORKERS }, (_, number) => fork(number));
  const ready = workers.map(async (worker) => {
    const address = await Promise.race([
      new Promise<string>((resolve) => {
        worker.on('message', (message: { ready?: string }) => message.ready && resolve(message.ready));
      }),
      once(worker, 'exit').then(() => null),
    ]);
    if (address === null) throw new Error('A worker could not start; its message stands above.');
    return address;
  });
  const [address = ''] = await Promise.all(ready);
  cluster.on('exit', (worker: Worker) => {
    if (stopped) return;
    log.error({ pid: worker.process.pid }, 'a worker died; starting another');
    setTimeout(() => stopped || fork(numbers.get(worker.id) ?? 0), 200);
  });
  return {
    address,
    async stop() {
      stopped = true;
      // A dead worker stays in `cluster.workers` until its IPC channel closes, and does not emit `exit` again.
      const running = Object.values(cluster.workers ?? {}).flatMap((worker) =>
        !worker || worker.isDead() ? [] : worker,
      );
      await Promise.all(
        running.map(async (worker) => {
          const exited = once(worker, 'exit');
          // With a callback, a closed channel does not throw: such a worker is exiting anyway.
          if (readyWorkers.has(worker.id)) worker.send('stop', () => {});
          // A worker that is still starting does not listen for messages yet, and has no requests in flight.
          else worker.process.kill('SIGKILL');
          await exited;
        }),
      );
    },
  };
}

function logStartup(config: Config, policy: SignUpPolicies, address: string, log: Logger): void {
  log.info(`sign-up: owners ${policy.owner}, drivers ${policy.driver}, administrators ${policy.admin}`);
  if (config.onlyLocal)
    log.info(
      'sign-up that is open by default asks for approval where a request names another host or came through a proxy',
    );
  else if (!config.PUBLIC_URL)
    log.warn('PUBLIC_URL is not set: no links can be made, such as those for a new password');
  if (!config.RATE_LIMITS) log.warn('RATE_LIMITS is off: nothing slows down an attacker');
  if (process.getuid?.() === 0)
    log.warn('Waybill runs as root: whoever breaks into it has the whole machine; run it under an account of its own');
  if (config.WORKERS > availableParallelism())
    log.warn(`WORKERS=${config.WORKERS} is more than this machine has cores`);
  log.info(`Waybill is ready at ${config.PUBLIC_URL ?? address}`);
}

/** Debounce: one Ctrl+C can arrive twice, from the terminal and from npm, which forwards signals. */
const sameSignalMs = 1000;

/** Resolves on the first SIGTERM or SIGINT. Another one more than a second later kills the process immediately. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | null = null;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        first ??= performance.now();
        if (performance.now() - first > sameSignalMs) process.kill(process.pid, 'SIGKILL');
        resolve();
      });
    }
  });
}

async function stopAll(serving: Serving | null, postgres: EmbeddedPostgres | null, log: Logger): Promise<void> {
  const tooLong = setTimeout(() => {
    log.error('stopping took too long');
    process.kill(process.pid, 'SIGKILL');
  }, stopWithinMs);
  await serving?.stop();
  await postgres?.stop();
  clearTimeout(tooLong);
}
