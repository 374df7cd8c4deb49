import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { errorCodeOf } from './error-codes.ts';

/**
 * Logs requests according to LOG_REQUESTS: the route template instead of the path, which may contain an id, and the caller's address,
 * which blocking attackers requires, but no other personal data.
 */
export function logRequests(
  app: FastifyInstance,
  { log, config: { LOG_REQUESTS: mode } }: Pick<Ctx, 'log' | 'config'>,
): void {
  // Decided once at start-up: a hook costs time on every request, even if it logs nothing.
  if (mode === 'off' && !log.isLevelEnabled('debug')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    const line = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status,
      ms: Math.round(reply.elapsedTime),
    };
    const refused = status >= 400 && status < 500;
    if (refused && mode !== 'off')
      log.warn({ ...line, code: errorCodeOf(request) ?? 'none', address: request.ip }, 'a request was refused');
    else if (mode === 'all') log.info({ ...line, address: request.ip }, 'request');
    else log.debug(line, 'request');
    done();
  });
}
