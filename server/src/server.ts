import { setTimeout as sleep } from 'node:timers/promises';
import { ruleOf } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { replicaDatabase, type Config } from './config.ts';
import type { Ctx } from './ctx.ts';
import { openEventFeed } from './events/outbox.ts';
import { findLongWrite, sweepOutbox } from './events/outbox-sweep.ts';
import { jobNames } from './events/event-jobs.ts';
import { noticeArrivals } from './deliveries/coming-near.ts';
import { createFirstDepot } from './depots/service.ts';
import { openHealth } from './observability/health.ts';
import { rollUpInventory } from './inventory/service.ts';
import { jobs } from './jobs.ts';
import { rollUpOwnerCounts } from './packages/owner-counts.ts';
import { removeOldRouteChanges } from './events/route-changes.ts';
import { rollUpWaiting } from './packages/waiting-counts.ts';
import { storeStaleViews } from './packages/stored-views.ts';
import { openOptimizer } from './optimizer/threads.ts';
import { openMapImporter, type MapImporter } from './places/map-importer.ts';
import { openPlanner, type Planner } from './plans/planner.ts';
import { trackConnections } from './platform/http/connection-draining.ts';
import { createDb, openPool, type Connection, type Db } from './platform/database/db.ts';
import { openFreeSpaceCheck, withFreeSpace } from './platform/database/free-space.ts';
import { inspectServer } from './platform/database/inspect-server.ts';
import { openLive, type LiveOptions } from './platform/live/notify.ts';
import { openReplica } from './platform/database/replica.ts';
import { openQueue } from './platform/database/queue.ts';
import { openRateLimits } from './platform/load/rate-limits.ts';
import { exportSettings, openLongRunning } from './platform/database/cursors-and-locks.ts';
import { makeSecret, readSecret } from './platform/auth/secrets.ts';
import { startConnectionWatchdog } from './platform/database/connection-watchdog.ts';
import { endAllStreams } from './platform/live/sse.ts';
import { openAllTimeSums } from './stats/all-time-sums.ts';
import { openBreakdownSums } from './stats/breakdown-sums.ts';
import { expireOffers } from './routes/offers.ts';
import { learnArrivals, storeForecasts } from './stats/arrivals.ts';
import { sumStaleDays } from './stats/attempt-sums.ts';
import { rollUpStats } from './stats/service.ts';
import { openLanes, type Lane } from './platform/lanes.ts';
import { openStorage } from './platform/storage/index.ts';
import { makePushSecret, readPushKeys } from './notifications/push-crypto.ts';
import { openSenders } from './notifications/sender.ts';
import { reconcileDeliveries } from './notifications/notification-deliveries.ts';
import { purge } from './privacy/retention.ts';
import { searchAllAgain } from './packages/place-queries.ts';
import { bringsAddress, openPlaceSearches } from './packages/place-searches.ts';
import { openSettings } from './settings/effective-settings.ts';
import { openRoads } from './travel/roads.ts';
import { openTravel } from './travel/travel.ts';
import { openSessions } from './users/sessions.ts';

export interface ServerOptions {
  config: Config;
  /** The database must be migrated already. */
  connection: Connection;
  log: Logger;
  /** Whether this process also runs background jobs. */
  runsJobs: boolean;
  now?: () => Date;
  live?: LiveOptions;
}

export interface Server {
  app: FastifyInstance;
  ctx: Ctx;
  /** Graceful shutdown: drains, finishes in-flight requests, closes streams and connections. */
  close(): Promise<void>;
}

/**
 * Connections of one process for requests. By default all processes together, with the connections for lookups, jobs, live updates and
 * the watchdog, stay below PostgreSQL's default of 100.
 */
const poolSize = ({ POOL_SIZE: size, WORKERS: workers }: PoolSettings) =>
  size ?? Math.min(10, Math.floor(80 / workers) - 5);

type PoolSettings = Pick<Config, 'WORKERS'> & Partial<Pick<Config, 'POOL_SIZE'>>;

/** Connections of one process for exports and imports, out of the remaining ones; opened on demand. */
const longRunningSize = (workers: number) => Math.min(4, Math.floor(16 / workers));

/** Maximum connections of all processes together. Per process: the three pools, 1 of the queue, 1 for LISTEN, 1 of the watchdog. */
export const connectionsOf = (settings: PoolSettings): number =>
  settings.WORKERS * (poolSize(settings) + 2 + longRunningSize(settings.WORKERS) + 1 + 1 + 1);

const purgeEveryMs = 3_600_000;

/** How often each lane runs. Deltas of figures and inventory are rolled up by then; reads add those that are not. */
const lanesEveryMs = 20_000;

/** Writing transactions that are open longer are logged. Those of requests end within 15 s. */
const longWriteSeconds = 60;

/** How long the shutdown waits for in-flight requests before it destroys their connections. */
const destroyAfterMs = 7000;

/** Wires one serving process: pools, queue, live updates, HTTP. */
export async function openServer({
  config,
  connection: databaseConnection,
  log,
  runsJobs,
  now = () => new Date(),
  live: liveOptions,
}: ServerOptions): Promise<Server> {
  const { version } = await inspectServer(databaseConnection);
  const watchdog = startConnectionWatchdog(databaseConnection, log);
  const { connection } = watchdog;
  const pool = openPool(connection, version, log, poolSize(config));
  // The public lookup has a separate pool, so that slow lists cannot delay the tracker.
  const lookupPool = openPool(connection, version, log, 2, { role: 'lookups' });
  const standby = replicaDatabase(config);
  const replica =
    standby &&
    openReplica({
      primary: pool,
      connection: standby,
      serverVersion: version,
      log,
      exportSettings: exportSettings(version),
    });
  const longRunning = openLongRunning(connection, version, log, longRunningSize(config.WORKERS), replica);
  const queue = await openQueue(connection, log, jobNames);
  const feed = openEventFeed(pool);
  await feed.poll();
  const live = openLive(connection, log, { onWake: feed.poll, onJobs: () => runsJobs && queue.wake() }, liveOptions);
  const settings = await openSettings(pool, config);
  const allTimeSums = openAllTimeSums();
  const breakdownSums = openBreakdownSums();
  const sessions = openSessions(pool, async () => (await settings.find()).adminTotp === 'required');
  feed.subscribe((events) => {
    const cleared = new Set(events.flatMap(({ type }) => ruleOf(type)?.clears ?? []));
    if (cleared.has('settings')) settings.forget();
    if (cleared.has('sessions')) sessions.clearCache();
  });
  feed.onRestart((why) => {
    log.warn(`${why}: live updates start anew`);
    sessions.clearCache();
    settings.forget();
    allTimeSums.clear();
    breakdownSums.clear();
    // Streams may have missed events: clients reconnect and read the current state.
    endAllStreams();
    if (runsJobs) queue.wake();
  });
  const isDiskFull = config.DATABASE_URL ? () => false : openFreeSpaceCheck(config.DATA_DIR, log);
  const writes = createDb(pool, queue.enqueue, (committed) => {
    // Invalidates the cache of this process before the reply is sent; other processes do so when their feed delivers the event.
    if (committed.sessions) sessions.clearCache();
    live.wake(committed);
  });
  const db = withFreeSpace(writes, isDiskFull);
  const storage = openStorage(config, log);
  // Starts no thread before there is something to solve.
  const optimizer = openOptimizer();
  const travel = openTravel({ url: config.ROUTER_URL, kind: config.ROUTER_KIND, roads: openRoads(pool), log });
  let planner: Planner | null = null;
  let mapImporter: MapImporter | null = null;
  const ctx: Ctx = {
    config,
    db,
    reads: replica ? replica.reads(pool, 'replica statistics', 2, 2000) : pool,
    feed,
    longRunning,
    sessions,
    settings,
    rateLimits: openRateLimits(pool, config.RATE_LIMITS),
    storage,
    allTimeSums,
    breakdownSums,
    optimizer,
    travel,
    wakePlanner: () => planner?.wake(),
    wakeMapImporter: () => mapImporter?.wake(),
    urlKey: await readSecret(pool, 'signed-urls'),
    pushKeys: readPushKeys(await makeSecret(pool, 'push', makePushSecret)),
    log,
    now,
  };

  await createFirstDepot(ctx);
  const health = openHealth(lookupPool, storage, isDiskFull);
  let draining = false;
  const app = await buildApp(ctx, {
    pools: { requests: pool, lookups: lookupPool },
    lookups: replica ? replica.reads(lookupPool, 'replica lookups', 2, 1000) : lookupPool,
    replica,
    health: async () => (draining ? 'The server is stopping.' : health()),
  });
  const connections = trackConnections(app.server);
  if (runsJobs) await queue.work(jobs(ctx));
  const senders = runsJobs ? openSenders(ctx) : null;
  const placeSearches = runsJobs ? openPlaceSearches(ctx) : null;
  planner = runsJobs ? openPlanner(ctx) : null;
  mapImporter = runsJobs ? openMapImporter(ctx, { connection, onImported: searchAllAgain }) : null;
  feed.subscribe((events) => {
    if (events.some(({ type }) => bringsAddress(type) || type === 'map.imported')) placeSearches?.wake();
    if (events.some(({ type }) => type === 'notification.progressed')) senders?.wake();
  });
  const purgeNow = async () => {
    for (const fault of (await purge(ctx))?.faults ?? [])
      log.warn({ reason: fault }, 'what is due could not be purged');
  };
  const purgeTimer = setInterval(() => {
    if (runsJobs)
      purgeNow().catch((error: unknown) => log.warn({ reason: String(error) }, 'what is due could not be purged'));
  }, purgeEveryMs).unref();
  const stopLanes = runsJobs ? openLanes(lanesOf(ctx), lanesEveryMs, log) : () => {};

  return {
    app,
    ctx,
    async close() {
      draining = true;
      clearInterval(purgeTimer);
      stopLanes();
      connections.startDraining();
      // A load balancer notices via /healthz, and keeps sending requests until then: they are answered as usual.
      if (app.server.listening) await sleep(config.DRAIN_SECONDS * 1000);
      const closed = app.close();
      endAllStreams();
      connections.closeIdle();
      // A client that has stopped reading must not block the shutdown.
      const destroyTimer = setTimeout(() => app.server.closeAllConnections(), destroyAfterMs);
      await closed;
      clearTimeout(destroyTimer);
      await Promise.all([queue.close(), planner?.close(), mapImporter?.close()]);
      await Promise.all([senders?.close(), placeSearches?.close(), optimizer.close()]);
      await live.close();
      await feed.close();
      storage.close();
      travel.close();
      await Promise.all([pool.close(), lookupPool.close(), longRunning.close(), replica?.close()]);
      watchdog.close();
    },
  };
}

/**
 * What is done every 20 s, each lane one after the other: at once, they took a connection each from the requests, and as many processes of
 * PostgreSQL. What somebody waits for has a lane of its own, before which nothing long is done.
 */
const lanesOf = (ctx: Ctx): Lane[] => [
  [
    ['arrivals could not be taken from positions', () => noticeArrivals(ctx)],
    ['offers that have run out could not be closed', () => expireOffers(ctx)],
    ['deliveries could not be compared with the queue', () => reconcileDeliveries(ctx.db)],
    ['figures could not be gathered', () => rollUpStats(ctx.db)],
    ['the inventory could not be gathered', () => rollUpInventory(ctx.db)],
    ['what owners have could not be counted', () => rollUpOwnerCounts(ctx.db)],
    ['what waits could not be counted', () => rollUpWaiting(ctx.db)],
    ['old changes of routes could not be removed', () => removeOldRouteChanges(ctx.db)],
    ['what was told by the outbox could not be removed', () => maintainOutbox(ctx.db, ctx.log)],
  ],
  [
    ['days of attempts could not be summed', () => ctx.db.transaction(sumStaleDays)],
    ['arrivals could not be stored', () => storeForecasts(ctx)],
    ['arrivals could not be learned from', () => learnArrivals(ctx)],
  ],
  // After an upgrade it takes minutes.
  [['public views could not be stored; they are composed at each lookup', () => storeStaleViews(ctx.db)]],
];

async function maintainOutbox(db: Db, log: Logger): Promise<void> {
  await sweepOutbox(db);
  const open = await findLongWrite(db, longWriteSeconds);
  if (open)
    log.warn(
      { reason: `process ${open.pid}, '${open.name}', for ${Math.round(open.seconds)} s` },
      'a transaction that writes stays open: what it holds up cannot be cleaned up',
    );
}
