import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { clientErrorCounts } from './client-errors.ts';
import type { Ctx } from '../ctx.ts';
import { isLoopback } from '../platform/origin/addresses.ts';
import type { LoadShedding } from '../platform/load/load-shedding.ts';
import type { Pool } from '../platform/database/db.ts';
import type { Replica } from '../platform/database/replica.ts';
import type { OnAnswered } from '../platform/http/answered-request.ts';
import { unauthenticated } from '../platform/errors.ts';
import { loadClassNames } from '../platform/load/load-classes.ts';
import { countStreams } from '../platform/live/sse.ts';
import { readOperations, type Operations } from '../stats/service.ts';

/**
 * Serves metrics for Prometheus if METRICS_PORT or METRICS_TOKEN is set. Each process serves its own, labelled with its worker number.
 * A request to the shared port reaches any worker, so METRICS_PORT gives each worker a port: METRICS_PORT + its number.
 * @returns what counts the answered requests; null without metrics
 */
export function openMetrics(
  app: FastifyInstance,
  ctx: Ctx,
  loadShedding: LoadShedding,
  pools: Record<string, Pool>,
  replica: Replica | null,
): OnAnswered | null {
  const { METRICS_PORT: port, METRICS_TOKEN: token, HOST: host } = ctx.config;
  if (!port && !token) return null;
  const registry = new Registry();
  registry.setDefaultLabels({ worker: String(workerNumber()) });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];

  const durations = new Histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Requests by route template and class of status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15],
    registers,
  });
  const errors = new Counter({
    name: 'waybill_http_errors_total',
    help: 'Requests that were refused or failed, by class of status and error code',
    labelNames: ['status', 'code'],
    registers,
  });
  registry.registerMetric(
    new Gauge({
      name: 'waybill_http_requests_in_flight',
      help: 'Requests under way by load class',
      labelNames: ['class'],
      registers: [],
      collect() {
        for (const load of loadClassNames) this.set({ class: load }, loadShedding.inFlight(load));
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'waybill_http_requests_shed_total',
      help: 'Requests turned away by load class',
      labelNames: ['class'],
      registers: [],
      collect() {
        this.reset();
        for (const load of loadClassNames) this.inc({ class: load }, loadShedding.shed(load));
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'waybill_db_connections',
      help: 'Connections of each pool: open, idle, and callers that wait for one',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [name, { pool }] of Object.entries(pools)) {
          this.set({ pool: name, state: 'open' }, pool.totalCount);
          this.set({ pool: name, state: 'idle' }, pool.idleCount);
          this.set({ pool: name, state: 'waiting' }, pool.waitingCount);
        }
      },
    }),
  );
  if (replica)
    registry.registerMetric(
      new Counter({
        name: 'waybill_replica_reads_total',
        help: 'Statements and exports that a replica may answer, by the server that answered them; one statement reads the lookups of a batch',
        labelNames: ['server'],
        registers: [],
        collect() {
          this.reset();
          for (const [server, count] of Object.entries(replica.counts())) this.inc({ server }, count);
        },
      }),
    );
  registry.registerMetric(
    new Gauge({
      name: 'waybill_open_streams',
      help: 'Streams of server-sent events',
      registers: [],
      collect() {
        this.set(countStreams());
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'waybill_client_errors_total',
      help: 'Pages that broke in a browser, as browsers tell it',
      labelNames: ['kind', 'browser'],
      registers: [],
      collect() {
        this.reset();
        for (const { kind, browser, count } of clientErrorCounts.values()) this.inc({ kind, browser }, count);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'waybill_jobs',
      help: 'Jobs by queue and state; dead-letters holds those that were given up',
      labelNames: ['queue', 'state'],
      registers: [],
      async collect() {
        const rows = await ctx.db.query<{ name: string; state: string; count: string }>(
          "select name, state::text as state, count(*) as count from jobs.job where state < 'completed' group by 1, 2",
        );
        this.reset();
        for (const { name, state, count } of rows) this.set({ queue: name, state }, Number(count));
      },
    }),
  );

  const operations = cached(() => readOperations(ctx), operationsTtlMs);
  registry.registerMetric(
    new Gauge({
      name: 'waybill_deliveries',
      help: 'Deliveries under way; overdue ones are past their window or day. The same from every process',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const { waiting, onTheRoad, overdue } = await operations();
        this.set({ state: 'waiting' }, waiting);
        this.set({ state: 'on the road' }, onTheRoad);
        this.set({ state: 'overdue' }, overdue);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'waybill_deliveries_today',
      help: 'Delivery attempts that ended today in UTC. The same from every process',
      labelNames: ['outcome'],
      registers: [],
      async collect() {
        const { completedToday, failedToday } = await operations();
        this.set({ outcome: 'completed' }, completedToday);
        this.set({ outcome: 'failed' }, failedToday);
      },
    }),
  );

  const text = () => registry.metrics();
  if (token) serveBehindToken(app, token, registry.contentType, text);
  if (port) {
    const isAuthorized = token ? tokenVerifier(token) : () => true;
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end();
      if (!isAuthorized(request.headers.authorization)) return void response.writeHead(401).end();
      text().then(
        (body) => response.writeHead(200, { 'content-type': registry.contentType }).end(body),
        () => response.writeHead(503).end(),
      );
    });
    server.on('error', (error) => ctx.log.error({ reason: error.message }, 'the port for metrics cannot be had'));
    // Exclusive: workers must not share the port. Without a token, only this machine may connect.
    server.listen({
      port: port + workerNumber(),
      host: token || isLoopback(host) ? host : '127.0.0.1',
      exclusive: true,
    });
    app.addHook('onClose', (_app, done) => {
      server.close();
      done();
    });
  }
  return ({ route, method, status: statusCode, ms, code }) => {
    const status = `${Math.floor(statusCode / 100)}xx`;
    durations.observe({ route, method, status }, ms / 1000);
    if (statusCode >= 400) errors.inc({ status, code: code ?? 'none' });
  };
}

/** TTL of the business figures: every scraped process queries them, though they are the same everywhere. */
const operationsTtlMs = 10_000;

function cached(read: () => Promise<Operations>, ttlMs: number): () => Promise<Operations> {
  let last: { operations: Promise<Operations>; until: number } | null = null;
  return () => {
    if (last && performance.now() < last.until) return last.operations;
    const operations = read();
    // Failures are not cached.
    operations.catch(() => (last = null));
    last = { operations, until: performance.now() + ttlMs };
    return operations;
  };
}

/** The primary numbers its workers from 0; a replacement gets the number of the worker that it replaces. */
const workerNumber = () => Number(process.env.WAYBILL_WORKER ?? 0);

/** Returns a check of the Authorization header for the token, in constant time. */
function tokenVerifier(token: string): (authorization: string | undefined) => boolean {
  const hashOf = (secret: string) => createHash('sha256').update(secret).digest();
  const expected = hashOf(`Bearer ${token}`);
  return (authorization = '') => timingSafeEqual(hashOf(authorization), expected);
}

function serveBehindToken(app: FastifyInstance, token: string, type: string, text: () => Promise<string>): void {
  const isAuthorized = tokenVerifier(token);
  app.get('/metrics', { config: { load: 'health' } }, async (request, reply) => {
    if (!isAuthorized(request.headers.authorization)) throw unauthenticated();
    return reply
      .type(type)
      .header('cache-control', 'no-store')
      .send(await text());
  });
}
