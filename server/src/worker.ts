import cluster from 'node:cluster';
import { readConfig } from './config.ts';
import { openLog, standardOutput } from './observability/log.ts';
import type { Connection } from './platform/database/db.ts';
import { listen } from './primary.ts';
import { openServer } from './server.ts';
import { endedByError, uncaughtError } from './observability/uncaught-errors.ts';

/** A worker process that serves requests. The primary owns the database and sends `stop`. */
export async function runWorker(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment);
  const log = openLog(config.LOG_LEVEL, standardOutput(config.LOG_FORMAT));
  const uncaught = uncaughtError(log).then(() => 'uncaught');
  const connection = JSON.parse(environment.WAYBILL_CONNECTION ?? '{}') as Connection;
  const server = await openServer({ config, connection, log, runsJobs: true });
  // Ctrl+C signals the whole process group; the primary turns it into a graceful shutdown.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  const stop = new Promise<void>((resolve) => {
    process.on('message', (message) => message === 'stop' && resolve());
    process.on('disconnect', resolve);
  });
  process.send?.({ ready: await listen(server, config) });
  const why = await Promise.race([stop, uncaught]);
  await server.close();
  // The primary sees the exit and starts a replacement.
  if (why === 'uncaught') throw endedByError();
  cluster.worker?.disconnect();
}
