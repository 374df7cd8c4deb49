import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Pool } from '../database/db.ts';
import { AppError, unavailable } from '../errors.ts';

/** Points per seconds, by name. */
export type Limits<Name extends string> = Record<Name, { points: number; duration: number }>;

/**
 * `on`, `off`, or what differs from the table: `create=600/60 exports=100/3600`, times per seconds.
 * @param retired names that are taken and change nothing
 * @returns null when off; the fault as text when it cannot be read
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
   * Counts one, or so many, and @throws too_many_requests when that was too many.
   * @param message the sentence for the user, where there is more to say than to wait a moment
   */
  take(limit: Name, key: string, more?: { points?: number; message?: string }): Promise<void>;
  /** @throws too_many_requests when the limit is used up, without counting. */
  check(limit: Name, key: string): Promise<void>;
  /** Counts one without refusing. */
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
 * Counters in PostgreSQL: one count for all workers and servers, kept across restarts.
 * Whoever is over the limit is turned away from memory, without asking the database.
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
