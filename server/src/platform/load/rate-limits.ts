import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Pool } from '../database/db.ts';
import { AppError, unavailable } from '../errors.ts';

/**
 * Points per seconds, one line for each limit; docs/security.md says against what (defences 5 and 6). Counted per account, address or both, as the caller says.
 * Those of the tracker are kept in memory and shared out among the workers (tracking/lookup-limits.ts), the others in PostgreSQL.
 */
const limits = {
  login: { points: 20, duration: 60 },
  loginFailure: { points: 5, duration: 900 },
  accountFailure: { points: 20, duration: 3600 },
  addressFailure: { points: 60, duration: 3600 },
  register: { points: 5, duration: 3600 },
  forgot: { points: 5, duration: 3600 },
  reset: { points: 20, duration: 3600 },
  contact: { points: 5, duration: 3600 },
  trackMiss: { points: 30, duration: 60 },
  trackMissInAll: { points: 20, duration: 1 },
  contactInAll: { points: 100, duration: 3600 },
  write: { points: 120, duration: 60 },
  anonymousWrite: { points: 60, duration: 60 },
  create: { points: 60, duration: 60 },
  importRows: { points: 50_000, duration: 3600 },
  previewRows: { points: 100_000, duration: 3600 },
  keys: { points: 10_000, duration: 86_400 },
  exports: { points: 10, duration: 3600 },
  claim: { points: 60, duration: 60 },
  signOut: { points: 60, duration: 60 },
  upload: { points: 20, duration: 60 },
} as const;
/** Hits are not limited any more; a configuration that raised their limit is still one. */
const retired = 'trackHit';
export type Limit = keyof typeof limits;
export type Limits = Record<Limit, { points: number; duration: number }>;

/**
 * `on`, `off`, or what differs from the table: `create=600/60 exports=100/3600`, times per seconds.
 * @returns null when off; the fault as text when it cannot be read
 */
export function readLimits(text: string): Limits | null | string {
  if (/^(0|off|false)$/.test(text)) return null;
  const read: Limits = { ...limits };
  if (/^(1|on|true)$/.test(text)) return read;
  for (const word of text.split(/[\s,]+/)) {
    const [, name = '', points, duration] = /^(\w+)=([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(word) ?? [];
    if (name === retired) continue;
    if (!Object.hasOwn(limits, name))
      return `must be on, off, or limits such as create=600/60 of ${Object.keys(limits).join(', ')}`;
    read[name as Limit] = { points: Number(points), duration: Number(duration) };
  }
  return read;
}

export interface RateLimits {
  /**
   * Counts one, or so many, and @throws too_many_requests when that was too many.
   * @param message the sentence for the user, where there is more to say than to wait a moment
   */
  take(limit: Limit, key: string, more?: { points?: number; message?: string }): Promise<void>;
  /** @throws too_many_requests when the limit is used up, without counting. */
  check(limit: Limit, key: string): Promise<void>;
  /** Counts one without refusing. */
  count(limit: Limit, key: string): Promise<void>;
}

export const tooManyRequests = (
  inMs: number,
  message = 'Too many requests. Please wait a moment and try again.',
): AppError =>
  new AppError('too_many_requests', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(inMs / 1000)),
  });

export const unlimited: RateLimits = {
  take: async () => {},
  check: async () => {},
  count: async () => {},
};

/**
 * Counters in PostgreSQL: one count for all workers and servers, kept across restarts.
 * Whoever is over the limit is turned away from memory, without asking the database.
 */
export function openRateLimits(pool: Pool, limits: Limits | null): RateLimits {
  if (!limits) return unlimited;
  const limiters = new Map(
    Object.entries(limits).map(([name, { points, duration }]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool.pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration,
        inMemoryBlockOnConsumed: points + 1,
      }),
    ]),
  );
  const of = (limit: Limit) => {
    const limiter = limiters.get(limit);
    if (!limiter) throw new Error(`no limiter for ${limit}`);
    return limiter;
  };
  // Keys hold addresses and e-mails: hashed, they fit the column whatever their length and tell nobody who called.
  const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url');
  const refuse = (answer: unknown, message?: string): never => {
    if (!(answer instanceof RateLimiterRes)) throw answer instanceof Error ? answer : unavailable();
    throw tooManyRequests(answer.msBeforeNext, message);
  };
  return {
    async take(limit, key, { points = 1, message } = {}) {
      await of(limit)
        .consume(hashOf(key), points)
        .catch((answer: unknown) => refuse(answer, message));
    },
    async check(limit, key) {
      const state = await of(limit).get(hashOf(key));
      if (state && state.consumedPoints >= limits[limit].points) refuse(state);
    },
    async count(limit, key) {
      await of(limit).penalty(hashOf(key));
    },
  };
}
