import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { apiReference } from './api-docs/api-reference.ts';
import { auditHttp } from './audit/http.ts';
import { auditCounted } from './audit/service.ts';
import { clientErrorsHttp } from './observability/client-errors.ts';
import { addFormParser } from './contact/form.ts';
import { contactHttp } from './contact/http.ts';
import type { Ctx } from './ctx.ts';
import { carriedDeliveries } from './packages/carried-deliveries.ts';
import { depotsHttp } from './depots/http.ts';
import { deliveriesHttp } from './deliveries/http.ts';
import { liveHttp } from './events/live.ts';
import { imagesHttp, mediaHttp } from './images/http.ts';
import { incidentsHttp } from './incidents/http.ts';
import { inventoryHttp } from './inventory/http.ts';
import { openMetrics } from './observability/metrics.ts';
import { labelsHttp } from './labels/http.ts';
import { mapsHttp } from './maps/http.ts';
import { placesHttp } from './places/http.ts';
import { callbacksHttp } from './notifications/callbacks.ts';
import { unsubscribePages } from './notifications/unsubscribe.ts';
import { notificationsHttp } from './notifications/http.ts';
import { packagesHttp } from './packages/http.ts';
import { openLoadShedding, closeUnlessRead } from './platform/load/load-shedding.ts';
import type { Pool, Queryable } from './platform/database/db.ts';
import type { Replica } from './platform/database/replica.ts';
import { errorCodeOf, noteErrorCode } from './observability/error-codes.ts';
import { AppError, errorReply, fromDatabase, notFound } from './platform/errors.ts';
import type { AnsweredRequest, OnAnswered } from './platform/http/answered-request.ts';
import { actorOf } from './platform/http/http.ts';
import { rejectMalformedRequest } from './platform/http/malformed-requests.ts';
import { originOf, withOrigin } from './platform/origin/request-origin.ts';
import type { TrustsProxy } from './platform/origin/proxies.ts';
import { addApiHeaders, addDocumentHeaders, apiHeaders } from './platform/http/security-headers.ts';
import { openRequestLog } from './observability/request-log.ts';
import { personsHttp } from './privacy/http.ts';
import { plansHttp } from './plans/http.ts';
import { positionsHttp } from './positions/http.ts';
import { dispatchHttp, routesHttp } from './routes/http.ts';
import { readOrganisation } from './settings/effective-settings.ts';
import { settingsHttp } from './settings/http.ts';
import { shiftsHttp } from './shifts/http.ts';
import { statsHttp } from './stats/http.ts';
import { openFastLookup } from './tracking/fast-lookup.ts';
import { recipientsHttp } from './recipients/http.ts';
import { trackingHttp } from './tracking/http.ts';
import { openPublicLookup } from './tracking/service.ts';
import { usersHttp } from './users/http.ts';
import { serveWeb } from './site/web.ts';

/** Why this process cannot serve, as a sentence for /healthz, or null if it can. */
export type Health = () => Promise<string | null>;

export interface AppOptions {
  pools: { requests: Pool; lookups: Pool };
  /** Answers the public lookup: a pool of its own, or a replica. */
  lookups: Queryable;
  replica: Replica | null;
  health: Health;
}

/** Builds the whole HTTP side, slice by slice. Does not listen yet. */
export async function buildApp(ctx: Ctx, options: AppOptions): Promise<FastifyInstance> {
  const { pools, lookups, replica, health } = options;
  const errorHeaders = apiHeaders(ctx.config);
  const requestIdOf = requestIdBy(ctx.config.TRUST_PROXY);
  const app = fastify({
    logger: false,
    trustProxy: ctx.config.TRUST_PROXY,
    // A HEAD request on a stream would open it without a reader.
    exposeHeadRoutes: false,
    genReqId: requestIdOf,
    bodyLimit: 64 * 1024,
    // On a busy machine the first compilation can exceed the default of 10 s, which would abort the start.
    pluginTimeout: 60_000,
    // For uploads; load shedding has shorter time-outs for all other requests.
    requestTimeout: 120_000,
    // While draining, requests in flight and on open connections are still answered.
    return503OnClosing: false,
    // A request without a body is no stream: its events took a sixth of the time of a lookup.
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000, optimizeEmptyRequests: true },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // A URL that cannot be decoded is a 404. It has no route, so no hook adds these headers.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      void reply
        .code(404)
        .headers(errorHeaders)
        .header('x-request-id', request.id)
        .send(errorReply(notFoundAt(request.url), request.id));
    },
    clientErrorHandler: rejectMalformedRequest(errorHeaders),
  });

  const loadShedding = openLoadShedding(app, ctx.config.LOAD_SHEDDING);
  const metrics = openMetrics(app, ctx, loadShedding, { ...pools }, replica);
  const onAnswered = [metrics, openRequestLog(ctx)].filter((observer) => observer !== null);
  if (onAnswered.length > 0) observeAnswers(app, onAnswered);
  const lookup = openPublicLookup(lookups, ctx);
  acceptJson(app);
  answerErrors(app, ctx);

  await app.register(
    async (api) => {
      addApiHeaders(api, ctx.config);
      // Not earlier: async context would be lost while the body is read.
      api.addHook('preHandler', (request, _reply, done) => withOrigin(originOf(request), done));
      imagesHttp(api, ctx);
      usersHttp(api, ctx, carriedDeliveries);
      settingsHttp(api, ctx);
      depotsHttp(api, ctx);
      placesHttp(api, ctx);
      positionsHttp(api, ctx);
      packagesHttp(api, ctx);
      labelsHttp(api, ctx);
      deliveriesHttp(api, ctx);
      shiftsHttp(api, ctx);
      trackingHttp(api, ctx, lookup);
      recipientsHttp(api, ctx);
      liveHttp(api, ctx, () => readOrganisation(ctx.settings));
      incidentsHttp(api, ctx);
      routesHttp(api, ctx);
      dispatchHttp(api, ctx);
      plansHttp(api, ctx);
      contactHttp(api, ctx);
      notificationsHttp(api, ctx);
      auditHttp(api, ctx);
      personsHttp(api, ctx, carriedDeliveries);
      clientErrorsHttp(api, ctx);
      statsHttp(api, ctx);
      inventoryHttp(api, ctx);
      if (ctx.config.API_DOCS) await apiReference(api);
      api.setNotFoundHandler((request) => {
        throw notFoundAt(request.url);
      });
    },
    { prefix: '/api' },
  );

  // A sibling of the /api scope, not its parent: hooks are inherited, and API replies are no documents.
  await app.register(async (site) => {
    addDocumentHeaders(site, ctx.config);
    serveHealth(site, health);
    await site.register((media) => mediaHttp(media, ctx), { prefix: '/media' });
    await site.register((maps) => mapsHttp(maps, ctx), { prefix: '/map' });
    await site.register(async (scope) => {
      addFormParser(scope);
      unsubscribePages(scope, ctx);
    });
    await site.register((scope) => callbacksHttp(scope, ctx));
    await serveWeb(site, ctx, lookup);
  });
  // Hits of the public lookup are the most frequent requests by far; Fastify answers everything else.
  const handOver = (request: IncomingMessage, response: ServerResponse) => {
    // Fastify would wait for the end of a body that this announces.
    if (request.readableEnded && request.headers['content-type'] !== undefined) delete request.headers['content-type'];
    app.routing(request, response);
  };
  const answerFast = openFastLookup(ctx, lookup, { loadShedding, requestIdOf, onAnswered, handOver });
  app.server.removeAllListeners('request').on('request', (request, response) => {
    if (!answerFast(request, response)) handOver(request, response);
  });
  return app;
}

function observeAnswers(app: FastifyInstance, onAnswered: OnAnswered[]): void {
  app.addHook('onResponse', (request, reply, done) => {
    const answered: AnsweredRequest = {
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
      code: errorCodeOf(request),
      address: () => request.ip,
    };
    for (const observe of onAnswered) observe(answered);
    done();
  });
}

function serveHealth(app: FastifyInstance, health: Health): void {
  // Many monitors only send HEAD.
  const options = { config: { load: 'health' as const }, exposeHeadRoute: true };
  app.get('/livez', options, () => ({ status: 'alive' }));
  app.get('/healthz', options, async (_request, reply) => {
    const reason = await health();
    return reply.code(reason ? 503 : 200).send(reason ? { status: 'unavailable', reason } : { status: 'ok' });
  });
}

/** The request id in the reply and in the log. A trusted proxy may have set it already. */
const requestIdBy = (trusts: TrustsProxy | false) => (request: IncomingMessage) => {
  const given = trusts && trusts(request.socket.remoteAddress ?? '', 0) && request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
};

/** Every miss of the tracker has the same reply, whatever is wrong with the ID. */
const notFoundAt = (url: string): AppError =>
  url.startsWith('/api/track/') ? new AppError('not_found', 'Package not found') : notFound('page');

/** The maximum nesting of a JSON body; the deepest schema has six levels. Deeper nesting could overflow the stack of recursive code. */
const maxDepth = 32;

const tooDeep = () => new AppError('unreadable', 'The request could not be read: it is nested too deeply');

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** JSON only, no coercion. An empty body counts as none, even with a content type. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else
      void parse(request, body.toString(), (error, value) =>
        isDeeperThan(maxDepth, value) ? done(tooDeep()) : done(error, value),
      );
  });
}

/** The only place that turns errors into replies. */
function answerErrors(app: FastifyInstance, ctx: Ctx): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const known = error instanceof AppError ? error : (fromFastify(error) ?? fromDatabase(error));
    const answer = known ?? new AppError('internal', 'Something went wrong. Please try again.');
    noteErrorCode(request, answer.code);
    if (answer.status >= 500) {
      ctx.log.error(
        {
          requestId: request.id,
          method: request.method,
          route: request.routeOptions.url,
          reason: error.message,
          stack: known ? undefined : error.stack,
        },
        'a request failed',
      );
    }
    if (answer.code === 'forbidden') await auditRefusal(ctx, request);
    if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
    if (answer.retryAfterSeconds) reply.header('retry-after', answer.retryAfterSeconds);
    closeUnlessRead(request, reply);
    return reply
      .code(answer.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorReply(answer, request.id)));
  });
}

/** Audits a missing permission. The refusal is sent even if the audit entry cannot be written. */
async function auditRefusal(ctx: Ctx, request: FastifyRequest): Promise<void> {
  const actor = actorOf(request);
  if (!actor) return;
  const endpoint = `${request.method} ${request.routeOptions.url ?? ''}`;
  const refused = { act: 'permission.refused', actorId: actor.id, details: { endpoint } } as const;
  const origin = originOf(request);
  await auditCounted(ctx.db, { ...refused, origin }, 'hour', `${actor.id} ${endpoint}`).catch((error: unknown) =>
    ctx.log.error({ requestId: request.id, reason: String(error) }, 'a refusal could not be written down'),
  );
}

function fromFastify(error: FastifyError): AppError | null {
  switch (error.statusCode) {
    case 400:
      return new AppError('unreadable', 'The request could not be read: its body must be JSON');
    case 413:
      return new AppError('too_large', 'The request is too large');
    case 415:
      return new AppError('unsupported_media_type', 'The request must be JSON');
    default:
      return null;
  }
}
