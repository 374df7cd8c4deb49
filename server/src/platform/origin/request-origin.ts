import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';

/** Where a request comes from, for the audit log. */
export interface Origin {
  address: string;
  /** Its User-Agent, cut to 200 characters. */
  device: string | null;
}

const origins = new AsyncLocalStorage<Origin>();

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'headers'>): Origin => ({
  address: request.ip,
  device: request.headers['user-agent']?.slice(0, 200) ?? null,
});

/** Runs `work` with this origin as `currentOrigin` (AsyncLocalStorage): the audit log needs it far below the handler. */
export const withOrigin = <T>(origin: Origin | null, work: () => T): T => (origin ? origins.run(origin, work) : work());

/** The origin of the current request; null outside of requests, in jobs and commands. */
export const currentOrigin = (): Origin | null => origins.getStore() ?? null;
