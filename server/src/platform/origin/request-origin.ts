import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';

/** Where a request came from. */
export interface Origin {
  address: string;
  /** Its User-Agent, shortened. */
  device: string | null;
}

const origins = new AsyncLocalStorage<Origin>();

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'headers'>): Origin => ({
  address: request.ip,
  device: request.headers['user-agent']?.slice(0, 200) ?? null,
});

/** Runs a request's work so that `currentOrigin` finds where it came from: the audit log needs it far below the handler. */
export const withOrigin = <T>(origin: Origin | null, work: () => T): T => (origin ? origins.run(origin, work) : work());

/** Where the request came from that is being served, or null outside of requests: in jobs and commands. */
export const currentOrigin = (): Origin | null => origins.getStore() ?? null;
