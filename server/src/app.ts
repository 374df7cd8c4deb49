import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { apiReference } from './api-docs/api-reference.ts';
import { auditHttp } from './audit/http.ts';
import { auditCounted } from './audit/service.ts';
import { clientErrorsHttp } from './observability/client-errors.ts';
import { contactHttp } from './contact/http.ts';
import type { Ctx } from './ctx.ts';
import { carriedDeliveries } from './packages/carried.ts';
import { deliveriesHttp } from './deliveries/http.ts';
import { liveHttp } from './events/live.ts';
import { imagesHttp, mediaHttp } from './images/http.ts';
import { incidentsHttp } from './incidents/http.ts';
import { inventoryHttp } from './inventory/http.ts';
import { openMetrics } from './observability/metrics.ts';
import { notificationsHttp } from './notifications/http.ts';
import { packagesHttp } from './packages/http.ts';
import { openLoadShedding, closeUnlessRead } from './platform/load/load-shedding.ts';
import type { Pool } from './platform/database/db.ts';
import { noteErrorCode } from './observability/error-codes.ts';
import { AppError, errorReply, fromDatabase, notFound } from './platform/errors.ts';
import { actorOf } from './platform/http/http.ts';
import { rejectMalformedRequest } from './platform/http/malformed-requests.ts';
import { originOf, withOrigin } from './platform/origin/request-origin.ts';
import type { TrustsProxy } from './platform/origin/proxies.ts';
import { addApiHeaders, addDocumentHeaders, apiHeaders } from './platform/http/security-headers.ts';
import { logRequests } from './observability/request-log.ts';
import { settingsHttp } from './settings/http.ts';
import { shiftsHttp } from './shifts/http.ts';
import { statsHttp } from './stats/http.ts';
import { trackingHttp } from './tracking/http.ts';
import { openPublicLookup } from './tracking/service.ts';
import { usersHttp } from './users/http.ts';
import { serveWeb } from './site/web.ts';

/** Whether this process can serve, and if not, why: a sentence for /healthz. */
export type Health = () => Promise<string | null>;

export interface Pools {
  requests: Pool;
  lookups: Pool;
}

/** The whole HTTP side: every slice by name. Listens nowhere yet. */
export async function buildApp(ctx: Ctx, pools: Pools, health: Health): Promise<FastifyInstance> {
  const refusalHeaders = apiHeaders(ctx.config);
  const app = fastify({
    logger: false,
    trustProxy: ctx.config.TRUST_PROXY,
    // A HEAD on a stream would open it without a reader.
    exposeHeadRoutes: false,
    genReqId: requestIdBy(ctx.config.TRUST_PROXY),
    bodyLimit: 64 * 1024,
    // A busy machine may take long over the first compilation; ten seconds would end the start.
    pluginTimeout: 60_000,
    // For what carries files; `admit` is stricter with the rest.
    requestTimeout: 120_000,
    // While draining, requests under way and on open connections are still answered.
    return503OnClosing: false,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000 },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // An address that cannot be decoded names nothing. It has no route, and so no hooks.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      void reply
        .code(404)
        .headers(refusalHeaders)
        .header('x-request-id', request.id)
        .send(errorReply(nothingAt(request.url), request.id));
    },
    clientErrorHandler: rejectMalformedRequest(refusalHeaders),
  });

  openMetrics(app, ctx, openLoadShedding(app, ctx.config.LOAD_SHEDDING), { ...pools });
  const lookup = openPublicLookup(pools.lookups, ctx);
  acceptJson(app);
  answerErrors(app, ctx);
  logRequests(app, ctx);

  await app.register(
    async (api) => {
      addApiHeaders(api, ctx.config);
      // As late as this: reading the body would lose it.
      api.addHook('preHandler', (request, _reply, done) => withOrigin(originOf(request), done));
      imagesHttp(api, ctx);
      usersHttp(api, ctx, carriedDeliveries);
      settingsHttp(api, ctx);
      packagesHttp(api, ctx);
      deliveriesHttp(api, ctx);
      shiftsHttp(api, ctx);
      trackingHttp(api, ctx, lookup);
      liveHttp(api, ctx);
      incidentsHttp(api, ctx);
      contactHttp(api, ctx);
      notificationsHttp(api, ctx);
      auditHttp(api, ctx);
      clientErrorsHttp(api, ctx);
      statsHttp(api, ctx);
      inventoryHttp(api, ctx);
      if (ctx.config.API_DOCS) await apiReference(api);
      api.setNotFoundHandler((request) => {
        throw nothingAt(request.url);
      });
    },
    { prefix: '/api' },
  );

  // Beside the scope above and not around it: hooks are inherited, and its answers are no documents.
  await app.register(async (site) => {
    addDocumentHeaders(site, ctx.config);
    serveHealth(site, health);
    await site.register((media) => mediaHttp(media, ctx), { prefix: '/media' });
    await serveWeb(site, ctx, lookup);
  });
  return app;
}

function serveHealth(app: FastifyInstance, health: Health): void {
  // HEAD as well: many monitors ask nothing else.
  const options = { config: { load: 'health' as const }, exposeHeadRoute: true };
  app.get('/livez', options, () => ({ status: 'alive' }));
  app.get('/healthz', options, async (_request, reply) => {
    const trouble = await health();
    return reply
      .code(trouble ? 503 : 200)
      .send(trouble ? { status: 'unavailable', reason: trouble } : { status: 'ok' });
  });
}

/** The name of a request in its answer and in the log. A proxy in front may have named it already. */
const requestIdBy = (trusts: TrustsProxy | false) => (request: IncomingMessage) => {
  const given = trusts && trusts(request.socket.remoteAddress ?? '', 0) && request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
};

/** Below the tracker every miss is one and the same, whatever is wrong with the ID. */
const nothingAt = (url: string): AppError =>
  url.startsWith('/api/track/') ? new AppError('not_found', 'Package not found') : notFound('page');

/** Levels of lists and objects in a body; the deepest of ours has six. What is deeper could exhaust the stack of whatever walks over it. */
const maxDepth = 32;

const tooDeep = () => new AppError('unreadable', 'The request could not be read: it is nested too deeply');

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** JSON only, no coercion; an empty body is no body, also when its type is named. */
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

/** The one place where an error becomes a reply. */
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

/** That somebody lacked the right to something. The refusal is answered also when it cannot be written down. */
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
