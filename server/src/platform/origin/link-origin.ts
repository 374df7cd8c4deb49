import type { FastifyRequest } from 'fastify';
import { isLocalRequest } from './local-request.ts';

/**
 * Where people reach the product, for links: as configured, else on this machine as this caller just did. Null anywhere else: a host
 * that a request names may be anybody's, and the link goes to somebody else.
 */
export function linkOrigin(
  config: { PUBLIC_URL?: string | undefined; onlyLocal: boolean },
  request: Pick<FastifyRequest, 'headers'>,
): string | null {
  if (config.PUBLIC_URL) return config.PUBLIC_URL.replace(/\/+$/, '');
  return config.onlyLocal && isLocalRequest(request) ? `http://${request.headers.host ?? ''}` : null;
}
