import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { errorCodeOf } from './error-codes.ts';

/**
 * Lines about requests, as LOG_REQUESTS says. By their route and never by their path, which may hold an id; with the caller's address,
 * which whoever blocks attackers needs, and without anything else that tells who it was.
 */
export function logRequests(
  app: FastifyInstance,
  { log, config: { LOG_REQUESTS: wanted } }: Pick<Ctx, 'log' | 'config'>,
): void {
  // Asked once: a hook would cost every request something, also where nothing is logged.
  if (wanted === 'off' && !log.isLevelEnabled('debug')) return;
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
    if (refused && wanted !== 'off')
      log.warn({ ...line, code: errorCodeOf(request) ?? 'none', address: request.ip }, 'a request was refused');
    else if (wanted === 'all') log.info({ ...line, address: request.ip }, 'request');
    else log.debug(line, 'request');
    done();
  });
}
