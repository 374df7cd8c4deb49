import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Pool } from '../database/db.ts';
import { AppError, unavailable } from '../errors.ts';

/** By name of the limit: points per `duration` seconds. */
export type Limits<Name extends string> = Record<Name, { points: number; duration: number }>;

/**
 * Parses RATE_LIMITS: `on`, `off`, or overrides of the defaults as points per seconds, such as `create=600/60 exports=100/3600`.
 * @param retired former names: accepted and ignored
 * @returns null if off; the error message if it is not valid
 */
export function readLimits<Name extends string>(
  text: string,
  limits: Limits<Name>,
  retired: readonly string[] = [],
): Limits<Name> | null | string {
  if (/^(0|off|false)$/.test(text)) return null;
  const read = { ...limits };
  if (/^(1|on|true)$/.test(text)) return read;
  for (const word of text.split(/[\s,]+/)) {
    const [, name = '', points, duration] = /^(\w+)=([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(word) ?? [];
    if (retired.includes(name)) continue;
    if (!Object.hasOwn(limits, name))
      return `must be on, off, or limits such as create=600/60 of ${Object.keys(limits).join(', ')}`;
    read[name as Name] = { points: Number(points), duration: Number(duration) };
  }
  return read;
}

/** Counters of the limits with these names. */
export interface RateLimits<Name extends string> {
  /**
   * Consumes 1 point, or `points`.
   * @param message for the user, instead of the general one
   * @throws too_many_requests when the limit is exceeded
   */
  take(limit: Name, key: string, more?: { points?: number; message?: string }): Promise<void>;
  /** Consumes nothing. @throws too_many_requests when the limit is used up */
  check(limit: Name, key: string): Promise<void>;
  /** Consumes 1 point and never throws too_many_requests. */
  count(limit: Name, key: string): Promise<void>;
}

export const tooManyRequests = (
  inMs: number,
  message = 'Too many requests. Please wait a moment and try again.',
): AppError =>
  new AppError('too_many_requests', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(inMs / 1000)),
  });

export const unlimited: RateLimits<string> = {
  take: async () => {},
  check: async () => {},
  count: async () => {},
};

/**
 * Counters in PostgreSQL: shared by all workers and servers, and kept across restarts.
 * A caller over the limit is refused from memory, without a query, until its window ends.
 */
export function openRateLimits<Name extends string>(pool: Pool, limits: Limits<Name> | null): RateLimits<Name> {
  if (!limits) return unlimited;
  const limiters = new Map(
    Object.entries<{ points: number; duration: number }>(limits).map(([name, { points, duration }]) => [
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
  const of = (limit: Name) => {
    const limiter = limiters.get(limit);
    if (!limiter) throw new Error(`no limiter for ${limit}`);
    return limiter;
  };
  // Keys contain addresses and emails: hashes fit the column at any length, and store no personal data.
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
