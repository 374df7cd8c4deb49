import type { FastifyRequest } from 'fastify';
import { isLocalRequest } from './local-request.ts';

/**
 * The origin for links: PUBLIC_URL, else the `Host` of a request from this machine. Otherwise null: a `Host` header can be forged, and the
 * link is sent to somebody else.
 */
export function linkOrigin(
  config: { PUBLIC_URL?: string | undefined; onlyLocal: boolean },
  request: Pick<FastifyRequest, 'headers'>,
): string | null {
  if (config.PUBLIC_URL) return config.PUBLIC_URL.replace(/\/+$/, '');
  return config.onlyLocal && isLocalRequest(request) ? `http://${request.headers.host ?? ''}` : null;
}
