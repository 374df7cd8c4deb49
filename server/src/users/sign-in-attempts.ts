import { createHash } from 'node:crypto';
import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Limits } from '../platform/load/rate-limits.ts';

/** An attempt to use a password or code of an account. `userId` is null for an unknown account. */
export interface Attempt {
  email: string;
  userId: string | null;
  address: string;
}

/** One counter: the failures since `since`, and the time of the last attempt. */
export interface Failures {
  count: number;
  since: Date;
  lastAt: Date;
}
type Counters = { pair: Failures; account: Failures; address: Failures };

type FailureLimits = Limits<'loginFailure' | 'accountFailure' | 'addressFailure'>;

/** Once an account has too many failures over all addresses, unknown addresses get one attempt per this interval. */
const spacingMs = 4000;

/**
 * How long an attempt has to wait, in milliseconds. Exponential backoff: doubles with each failure of the account from this address,
 * and resets with a success. A delay, never a lockout, which an attacker could use to keep users out.
 */
export function requiredDelay({ pair, account, address }: Counters, now: Date, limits: FailureLimits): number {
  const since = (at: Date) => now.getTime() - at.getTime();
  const counted = ({ count, since: start }: Failures, { duration }: { duration: number }) =>
    since(start) < duration * 1000 ? count : 0;
  const delays = [0];
  const excess = counted(pair, limits.loginFailure) - limits.loginFailure.points;
  if (excess >= 0) delays.push(Math.min(250 * 2 ** excess, 4000) - since(pair.lastAt));
  if (counted(account, limits.accountFailure) >= limits.accountFailure.points)
    delays.push(spacingMs - since(account.lastAt));
  if (counted(address, limits.addressFailure) >= limits.addressFailure.points)
    delays.push(limits.addressFailure.duration * 1000 - since(address.since));
  return Math.max(...delays);
}

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest();

/**
 * Throttles attempts to use a secret of an account: a password, or a code of the second factor. Counts an attempt as a failure before
 * checking it, so that concurrent attempts count too, and uncounts it on success. An attempt that has to wait is refused at once and
 * holds no resources meanwhile. From an address that signed in to the account before, the right secret always passes.
 *
 * @param check verifies the secret: `right`, `wrong`, or `unfinished`, which neither counts nor resets the counters
 * @param refusal makes the error for a wrong secret; gets the failures of the account within the hour, including this one
 * @throws too_many_requests
 */
export async function throttleAttempt(
  ctx: Pick<Ctx, 'db' | 'now' | 'config' | 'rateLimits'>,
  { email, userId, address }: Attempt,
  check: () => Promise<'right' | 'wrong' | 'unfinished'>,
  refusal: (failures: number) => Promise<Error> | Error,
): Promise<void> {
  const network = networkOf(address);
  await ctx.rateLimits.take('login', `${email} ${network}`);
  const limits = ctx.config.RATE_LIMITS;
  if (!limits) {
    if ((await check()) === 'wrong') throw await refusal(1);
    return;
  }
  const keys = {
    pair: digest('pair', email, network),
    account: digest('account', email),
    address: digest('address', network),
  };
  const count = async (tx: Tx) => {
    const counters = await lockCounters(tx, keys, ctx.now());
    const delay = requiredDelay(counters, ctx.now(), limits);
    if (delay > 0 && !(await isKnownAddress(tx, userId, network))) throw tooSoon(delay);
    await countAttempt(tx, keys, ctx.now(), limits);
    return { delay, failures: counters.account.count + 1 };
  };
  const { delay, failures } = await serializeByNetwork(network, () => ctx.db.transaction(count));
  const result = await check().catch(async (error: unknown) => {
    // Not checked, for example because the queue for password hashes is full.
    await uncountAttempt(ctx.db, keys, false);
    throw error;
  });
  if (result === 'wrong') throw delay > 0 ? tooSoon(delay) : await refusal(failures);
  await uncountAttempt(ctx.db, keys, result === 'right');
}

const tooSoon = (delayMs: number) =>
  new AppError('too_many_requests', 'Too many failed attempts. Please wait a moment and try again.', {
    retryAfterSeconds: Math.ceil(delayMs / 1000),
  });

/** The last queued work by network. */
const queueTails = new Map<string, Promise<unknown>>();

/** Attempts that would wait for the row lock of the same counter wait here instead, without holding a database connection. */
async function serializeByNetwork<T>(network: string, work: () => Promise<T>): Promise<T> {
  const previous = queueTails.get(network) ?? Promise.resolve();
  const current = previous.catch(() => {}).then(work);
  queueTails.set(network, current);
  try {
    return await current;
  } finally {
    if (queueTails.get(network) === current) queueTails.delete(network);
  }
}

type Keys = Record<keyof Counters, Buffer>;

/** Creates missing counters and locks all three until the commit. Always in key order, so that no two attempts deadlock. */
async function lockCounters(tx: Tx, keys: Keys, now: Date): Promise<Counters> {
  const sorted = Object.values(keys).toSorted((one, other) => one.compare(other));
  const rows = await tx.query<{ key: Buffer; failures: number; since: Date; last_at: Date }>(
    `insert into sign_in_failures (key, failures, since, last_at) select key, 0, $2, $2 from unnest($1::bytea[]) as key
     on conflict (key) do update set key = excluded.key returning key, failures, since, last_at`,
    [sorted, now],
  );
  const of = (key: Buffer): Failures => {
    const row = rows.find((one) => one.key.equals(key));
    if (!row) throw new Error('a counter was not written');
    return { count: row.failures, since: row.since, lastAt: row.last_at };
  };
  return { pair: of(keys.pair), account: of(keys.account), address: of(keys.address) };
}

/** Increments the counters. One whose window has ended restarts at 1. */
async function countAttempt(tx: Tx, keys: Keys, now: Date, limits: FailureLimits): Promise<void> {
  const durations = [limits.loginFailure, limits.accountFailure, limits.addressFailure].map(({ duration }) => duration);
  await tx.query(
    `update sign_in_failures c set last_at = $3,
       failures = case when c.since > $3::timestamptz - make_interval(secs => k.duration) then c.failures + 1 else 1 end,
       since = case when c.since > $3::timestamptz - make_interval(secs => k.duration) then c.since else $3 end
     from unnest($1::bytea[], $2::float8[]) as k (key, duration) where c.key = k.key`,
    [[keys.pair, keys.account, keys.address], durations, now],
  );
}

async function uncountAttempt(db: Queryable, keys: Keys, succeeded: boolean): Promise<void> {
  await db.query(
    `update sign_in_failures set failures = case when key = $2 and $3 then 0 else greatest(failures - 1, 0) end where key = any($1)`,
    [[keys.pair, keys.account, keys.address], keys.pair, succeeded],
  );
}

/** Known addresses stored per account: those that signed in last. */
const maxKnownAddresses = 20;

const addressHash = (userId: string, network: string) => digest('known', userId, network);

/** Queried for unknown accounts, against a timing side channel: without a query the answer would be faster. */
const unknownUserId = '00000000-0000-0000-0000-000000000000';

async function isKnownAddress(db: Queryable, userId: string | null, network: string): Promise<boolean> {
  const rows = await db.query('select from known_addresses where user_id = $1 and hash = $2', [
    userId ?? unknownUserId,
    addressHash(userId ?? unknownUserId, network),
  ]);
  return rows.length > 0;
}

/** Stores that the user signed in from this address. @returns true when the account has known addresses, and this one is new */
export async function recordKnownAddress(tx: Tx, userId: string, address: string, at: Date): Promise<boolean> {
  const hash = addressHash(userId, networkOf(address));
  const known = await tx.query<{ hash: Buffer }>('select hash from known_addresses where user_id = $1', [userId]);
  await tx.query(
    `insert into known_addresses (user_id, hash, last_at) values ($1, $2, $3)
     on conflict (user_id, hash) do update set last_at = excluded.last_at`,
    [userId, hash, at],
  );
  await tx.query(
    `delete from known_addresses where user_id = $1
       and hash not in (select hash from known_addresses where user_id = $1 order by last_at desc limit ${maxKnownAddresses})`,
    [userId],
  );
  return known.length > 0 && !known.some((one) => one.hash.equals(hash));
}
