import { setTimeout as sleep } from 'node:timers/promises';
import { ruleOf } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { Ctx } from './ctx.ts';
import { openEventFeed } from './events/outbox.ts';
import { findLongWrite, sweepOutbox } from './events/outbox-sweep.ts';
import { jobNames } from './events/event-jobs.ts';
import { openHealth } from './observability/health.ts';
import { rollUpInventory } from './inventory/service.ts';
import { jobs } from './jobs.ts';
import { trackConnections } from './platform/http/connection-draining.ts';
import { createDb, openPool, type Connection, type Db } from './platform/database/db.ts';
import { inspectServer } from './platform/database/inspect-server.ts';
import { openLive, type LiveOptions } from './platform/live/notify.ts';
import { openQueue } from './platform/database/queue.ts';
import { openRateLimits } from './platform/load/rate-limits.ts';
import { openLongRunning } from './platform/database/cursors-and-locks.ts';
import { readSecret } from './platform/auth/secrets.ts';
import { startConnectionWatchdog } from './platform/database/connection-watchdog.ts';
import { endAllStreams } from './platform/live/sse.ts';
import { rollUpStats } from './stats/service.ts';
import { openStorage } from './platform/storage/index.ts';
import { reconcileDeliveries } from './notifications/deliveries.ts';
import { purge } from './privacy/retention.ts';
import { openSettings } from './settings/effective-settings.ts';
import { openSessions } from './users/sessions.ts';

export interface ProductOptions {
  config: Config;
  /** A database that is migrated already. */
  connection: Connection;
  log: Logger;
  /** Whether this process runs background jobs, beside serving. */
  runsJobs: boolean;
  now?: () => Date;
  live?: LiveOptions;
}

export interface Product {
  app: FastifyInstance;
  ctx: Ctx;
  /** Stops taking work, finishes what is under way, ends the streams, closes the connections. */
  close(): Promise<void>;
}

/** Connections of one process that serve requests: unless set, all of one server together, with those for lookups, jobs, live updates and the watch, stay below PostgreSQL's usual 100. */
const poolSize = ({ POOL_SIZE: size, WORKERS: workers }: PoolSettings) =>
  size ?? Math.min(10, Math.floor(80 / workers) - 6);

type PoolSettings = Pick<Config, 'WORKERS'> & Partial<Pick<Config, 'POOL_SIZE'>>;

/** Connections of one process for exports and imports, out of what is left: opened when somebody asks for one. */
const longRunningSize = (workers: number) => Math.min(4, Math.floor(16 / workers));

/** Connections that the processes may have open together: those of the three pools, the queue's two, one that listens and one that watches. */
export const connectionsOf = (settings: PoolSettings): number =>
  settings.WORKERS * (poolSize(settings) + 2 + longRunningSize(settings.WORKERS) + 2 + 1 + 1);

const purgeEveryMs = 3_600_000;

/** How long figures and inventory add up row by row before they are gathered; whoever reads them sums up what lies there. */
const gatherEveryMs = 20_000;

/** From when on a transaction that has written something is told of: those of requests end within 15 s. */
const longWriteSeconds = 60;

/** How long a stop waits for answers under way before it cuts their connections. */
const cutAfterMs = 7000;

/** One serving process, wired together: pools, queue, live updates, HTTP. */
export async function openProduct({
  config,
  connection: unwatched,
  log,
  runsJobs,
  now = () => new Date(),
  live: liveOptions,
}: ProductOptions): Promise<Product> {
  const { version } = await inspectServer(unwatched);
  const watched = startConnectionWatchdog(unwatched, log);
  const { connection } = watched;
  const pool = openPool(connection, version, log, poolSize(config));
  // The public lookup has connections of its own, so that nobody's long list can make the tracker wait.
  const lookupPool = openPool(connection, version, log, 2, 'lookups');
  const longRunning = openLongRunning(connection, version, log, longRunningSize(config.WORKERS));
  const queue = await openQueue(connection, log, jobNames);
  const feed = openEventFeed(pool);
  await feed.poll();
  const live = openLive(connection, log, { onWake: feed.poll, onJobs: () => runsJobs && queue.wake() }, liveOptions);
  const settings = await openSettings(pool, config);
  const sessions = openSessions(pool, async () => (await settings.find()).adminTotp === 'required');
  feed.subscribe((events) => {
    const forgotten = new Set(events.flatMap(({ type }) => ruleOf(type)?.clears ?? []));
    if (forgotten.has('settings')) settings.forget();
    if (forgotten.has('callers')) sessions.clearCache();
  });
  feed.onRestart((why) => {
    log.warn(`${why}: live updates start anew`);
    sessions.clearCache();
    settings.forget();
    // Nobody can say what they missed; they come back and read the present state.
    endAllStreams();
    if (runsJobs) queue.wake();
  });
  const db = createDb(pool, queue.enqueue, (committed) => {
    // Here before the answer goes out; in the other processes when the feed tells them.
    if (committed.sessions) sessions.clearCache();
    live.wake(committed);
  });
  const storage = openStorage(config, log);
  const ctx: Ctx = {
    config,
    db,
    feed,
    longRunning,
    sessions,
    settings,
    rateLimits: openRateLimits(pool, config.RATE_LIMITS),
    storage,
    urlKey: await readSecret(pool, 'signed-urls'),
    log,
    now,
  };

  const health = openHealth(lookupPool, storage);
  let draining = false;
  const app = await buildApp(ctx, { requests: pool, lookups: lookupPool }, async () => {
    return draining ? 'The server is stopping.' : health();
  });
  const connections = trackConnections(app.server);
  if (runsJobs) await queue.work(jobs(ctx));
  const purgeNow = async () => {
    for (const fault of (await purge(ctx))?.faults ?? [])
      log.warn({ reason: fault }, 'what is due could not be purged');
  };
  const purging = setInterval(() => {
    if (runsJobs)
      purgeNow().catch((error: unknown) => log.warn({ reason: String(error) }, 'what is due could not be purged'));
  }, purgeEveryMs).unref();
  const gathering = setInterval(() => {
    if (runsJobs)
      Promise.all([rollUpStats(db), rollUpInventory(db)]).catch((error: unknown) =>
        log.warn({ reason: String(error) }, 'figures could not be gathered'),
      );
    if (runsJobs)
      tidyOutbox(db, log).catch((error: unknown) =>
        log.warn({ reason: String(error) }, 'what was told by the outbox could not be removed'),
      );
    if (runsJobs)
      reconcileDeliveries(db).catch((error: unknown) =>
        log.warn({ reason: String(error) }, 'deliveries could not be compared with the queue'),
      );
  }, gatherEveryMs).unref();

  return {
    app,
    ctx,
    async close() {
      draining = true;
      clearInterval(purging);
      clearInterval(gathering);
      connections.startDraining();
      // Whoever distributes requests learns it from /healthz, and until then still sends some here: they are answered as ever.
      if (app.server.listening) await sleep(config.DRAIN_SECONDS * 1000);
      const closed = app.close();
      endAllStreams();
      connections.closeIdle();
      // Nor may somebody who has stopped reading hold up the stop.
      const cut = setTimeout(() => app.server.closeAllConnections(), cutAfterMs);
      await closed;
      clearTimeout(cut);
      await queue.close();
      await live.close();
      await feed.close();
      storage.close();
      await Promise.all([pool.close(), lookupPool.close(), longRunning.close()]);
      watched.close();
    },
  };
}

async function tidyOutbox(db: Db, log: Logger): Promise<void> {
  await sweepOutbox(db);
  const open = await findLongWrite(db, longWriteSeconds);
  if (open)
    log.warn(
      { reason: `process ${open.pid}, '${open.name}', for ${Math.round(open.seconds)} s` },
      'a transaction that writes stays open: what it holds up cannot be cleaned up',
    );
}
