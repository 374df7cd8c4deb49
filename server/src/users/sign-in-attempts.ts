import { createHash } from 'node:crypto';
import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Limits } from '../platform/load/rate-limits.ts';

/** Somebody who tries a password or a code of an account, which may not exist (`userId` null). */
export interface Attempt {
  email: string;
  userId: string | null;
  address: string;
}

/** One counter: how many failures since when, and when the last try was. */
export interface Failures {
  count: number;
  since: Date;
  lastAt: Date;
}
type Counters = { pair: Failures; account: Failures; address: Failures };

type Figures = Limits<'loginFailure' | 'accountFailure' | 'addressFailure'>;

/** Past the failures that an account may have over all addresses, addresses that never signed in there get one try in this time. */
const spacingMs = 4000;

/**
 * How long a try has to wait, in milliseconds. It doubles with each failure of the account from this address, and ends with the first
 * success: a delay, never a lock, which anybody could put on others.
 */
export function waitFor({ pair, account, address }: Counters, now: Date, limits: Figures): number {
  const since = (at: Date) => now.getTime() - at.getTime();
  const counted = ({ count, since: start }: Failures, { duration }: { duration: number }) =>
    since(start) < duration * 1000 ? count : 0;
  const waits = [0];
  const excess = counted(pair, limits.loginFailure) - limits.loginFailure.points;
  if (excess >= 0) waits.push(Math.min(250 * 2 ** excess, 4000) - since(pair.lastAt));
  if (counted(account, limits.accountFailure) >= limits.accountFailure.points)
    waits.push(spacingMs - since(account.lastAt));
  if (counted(address, limits.addressFailure) >= limits.addressFailure.points)
    waits.push(limits.addressFailure.duration * 1000 - since(address.since));
  return Math.max(...waits);
}

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest();

/**
 * Lets somebody try a secret of an account: a password, or a code of the second factor. Counted before it is checked, so that tries at
 * the same moment count too; a success is taken back. Who has to wait is told so at once and holds no place meanwhile. From an address
 * that signed in to the account before, the right secret always passes.
 *
 * @param check looks at the secret: `right`, `wrong`, or `unfinished`, which neither counts nor clears what was counted
 * @param wrong the answer to a wrong one; gets how many failures the account has had within the hour, this one included
 * @throws too_many_requests
 */
export async function trySecret(
  ctx: Pick<Ctx, 'db' | 'now' | 'config' | 'rateLimits'>,
  { email, userId, address }: Attempt,
  check: () => Promise<'right' | 'wrong' | 'unfinished'>,
  wrong: (failures: number) => Promise<Error> | Error,
): Promise<void> {
  const network = networkOf(address);
  await ctx.rateLimits.take('login', `${email} ${network}`);
  const limits = ctx.config.RATE_LIMITS;
  if (!limits) {
    if ((await check()) === 'wrong') throw await wrong(1);
    return;
  }
  const keys = {
    pair: digest('pair', email, network),
    account: digest('account', email),
    address: digest('address', network),
  };
  const count = async (tx: Tx) => {
    const counters = await lockCounters(tx, keys, ctx.now());
    const wait = waitFor(counters, ctx.now(), limits);
    if (wait > 0 && !(await isKnown(tx, userId, network))) throw tooSoon(wait);
    await countTry(tx, keys, ctx.now(), limits);
    return { wait, failures: counters.account.count + 1 };
  };
  const { wait, failures } = await oneByOne(network, () => ctx.db.transaction(count));
  const result = await check().catch(async (error: unknown) => {
    // Turned away, not wrong.
    await takeBack(ctx.db, keys, false);
    throw error;
  });
  if (result === 'wrong') throw wait > 0 ? tooSoon(wait) : await wrong(failures);
  await takeBack(ctx.db, keys, result === 'right');
}

const tooSoon = (waitMs: number) =>
  new AppError('too_many_requests', 'Too many failed attempts. Please wait a moment and try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });

const latest = new Map<string, Promise<unknown>>();

/** Those who would wait for the same counter wait here, where they hold no connection to the database. */
async function oneByOne<T>(network: string, work: () => Promise<T>): Promise<T> {
  const before = latest.get(network) ?? Promise.resolve();
  const mine = before.catch(() => {}).then(work);
  latest.set(network, mine);
  try {
    return await mine;
  } finally {
    if (latest.get(network) === mine) latest.delete(network);
  }
}

type Keys = Record<keyof Counters, Buffer>;

/** Locked until the commit, all three in one order on every server. */
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

/** A counter whose time is over begins anew. */
async function countTry(tx: Tx, keys: Keys, now: Date, limits: Figures): Promise<void> {
  const durations = [limits.loginFailure, limits.accountFailure, limits.addressFailure].map(({ duration }) => duration);
  await tx.query(
    `update sign_in_failures c set last_at = $3,
       failures = case when c.since > $3::timestamptz - make_interval(secs => k.duration) then c.failures + 1 else 1 end,
       since = case when c.since > $3::timestamptz - make_interval(secs => k.duration) then c.since else $3 end
     from unnest($1::bytea[], $2::float8[]) as k (key, duration) where c.key = k.key`,
    [[keys.pair, keys.account, keys.address], durations, now],
  );
}

async function takeBack(db: Queryable, keys: Keys, succeeded: boolean): Promise<void> {
  await db.query(
    `update sign_in_failures set failures = case when key = $2 and $3 then 0 else greatest(failures - 1, 0) end where key = any($1)`,
    [[keys.pair, keys.account, keys.address], keys.pair, succeeded],
  );
}

/** Addresses of an account that are remembered: those that signed in last. */
const maxKnown = 20;

const addressHash = (userId: string, network: string) => digest('known', userId, network);

/** Asked for nobody in particular where there is no such account: without the question the answer would come sooner. */
const nobody = '00000000-0000-0000-0000-000000000000';

async function isKnown(db: Queryable, userId: string | null, network: string): Promise<boolean> {
  const rows = await db.query('select from known_addresses where user_id = $1 and hash = $2', [
    userId ?? nobody,
    addressHash(userId ?? nobody, network),
  ]);
  return rows.length > 0;
}

/** Remembers that this address signed in. @returns whether the account was known elsewhere, and not there */
export async function rememberAddress(tx: Tx, userId: string, address: string, at: Date): Promise<boolean> {
  const hash = addressHash(userId, networkOf(address));
  const known = await tx.query<{ hash: Buffer }>('select hash from known_addresses where user_id = $1', [userId]);
  await tx.query(
    `insert into known_addresses (user_id, hash, last_at) values ($1, $2, $3)
     on conflict (user_id, hash) do update set last_at = excluded.last_at`,
    [userId, hash, at],
  );
  await tx.query(
    `delete from known_addresses where user_id = $1
       and hash not in (select hash from known_addresses where user_id = $1 order by last_at desc limit ${maxKnown})`,
    [userId],
  );
  return known.length > 0 && !known.some((one) => one.hash.equals(hash));
}
