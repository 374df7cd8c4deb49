import { createHash } from 'node:crypto';
import { subjectOf } from '@waybill/contract';
import type { Db, Tx } from '../database/db.ts';
import { AppError } from '../errors.ts';

export interface IdempotentRequest {
  userId: string;
  /** The contract's route with its path parameters filled in: independent of the query string and the URL's spelling. */
  path: string;
  key: string;
  body: unknown;
  /** Checks that the caller may still see the stored reply. @throws not_found or forbidden otherwise */
  requireVisible(tx: Tx, reply: unknown): Promise<void>;
}

/** Longer paths are hashed, to fit the index. Paths with ids are shorter. */
const maxPathLength = 400;

/** The contract's route with its parameters filled in; the route and a hash if that is too long. */
export function pathOf(route: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const path = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
  return path.length <= maxPathLength ? path : `${route} ${createHash('sha256').update(path).digest('base64url')}`;
}

/**
 * Wraps a database so that a transaction runs once per Idempotency-Key: its reply is stored in the same commit as the change, and a repeat
 * gets the stored reply. For the context of one request, which should run a single transaction.
 *
 * @throws still_running while the first request runs, key_reused if the body differs
 */
export function idempotent(db: Db, { userId, path, key, body, requireVisible }: IdempotentRequest): Db {
  const bodyHash = hashOf(body);
  const request: KeyedRequest = { userId, path, key, bodyHash };
  const attempt = <T>(work: (tx: Tx) => Promise<T>) =>
    db.transaction(async (tx) => {
      // The advisory lock detects a repeat while the first request runs. PostgreSQL releases it with the transaction.
      const [[lock], [first]] = await Promise.all([
        tx.query<{ got: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as got', [
          lockName(request),
        ]),
        // A statement of its own: its snapshot must be newer than the lock.
        tx.query<{ body_hash: Buffer; reply: string | null }>(
          `select body_hash, reply from idempotency_keys
           where user_id = $1 and path = $2 and key = $3 and created_at > now() - interval '7 days'`,
          [userId, path, key],
        ),
      ]);
      if (first && !first.body_hash.equals(bodyHash)) {
        throw new AppError('key_reused', 'This Idempotency-Key was used for another request');
      }
      if (first) {
        // Stored by the same endpoint, so it is of the type that `work` returns.
        const reply = JSON.parse(first.reply ?? 'null') as T;
        await requireVisible(tx, reply);
        return reply;
      }
      // Another repeat of an answered request may hold the lock, so it counts only without a stored reply.
      if (!lock?.got)
        throw new AppError('still_running', 'This request is still being carried out. Please try again in a moment.');
      const reply = await work(tx);
      await storeReplies(tx, [{ request, reply }]);
      return reply;
    });
  const wrapped: Db = { ...db, transaction: attempt };
  keyedRequests.set(wrapped, request);
  return wrapped;
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  userId: string;
  path: string;
  key: string;
  bodyHash: Buffer;
}

const keyedRequests = new WeakMap<Db, KeyedRequest>();

/** The request that this database was wrapped for by `idempotent`, or null. For transactions that serve several requests. */
export const keyedRequestOf = (db: Db): KeyedRequest | null => keyedRequests.get(db) ?? null;

const lockName = ({ userId, path, key }: Omit<KeyedRequest, 'bodyHash'>) => `${userId} ${path} ${key}`;

/**
 * Locks the keys of several requests without waiting. Returns the requests that are certainly the first with their key: no other one holds
 * the lock, not even in the same call, and no reply is stored. The others must run in transactions of their own, through `idempotent`.
 */
export async function lockNewKeys(tx: Tx, requests: KeyedRequest[]): Promise<Set<KeyedRequest>> {
  const byName = new Map<string, KeyedRequest>();
  for (const request of requests) if (!byName.has(lockName(request))) byName.set(lockName(request), request);
  if (byName.size === 0) return new Set();
  const keyed = [...byName.values()];
  const [locks, stored] = await Promise.all([
    tx.query<{ name: string; got: boolean }>(
      'select name, pg_try_advisory_xact_lock(hashtextextended(name, 0)) as got from unnest($1::text[]) as name',
      [[...byName.keys()]],
    ),
    // A statement of its own: its snapshot must be newer than the locks.
    tx.query<{ user_id: string; path: string; key: string }>(
      `select k.user_id, k.path, k.key
       from unnest($1::uuid[], $2::text[], $3::text[]) as given (user_id, path, key)
       join idempotency_keys k using (user_id, path, key)
       where k.created_at > now() - interval '7 days'`,
      [keyed.map(({ userId }) => userId), keyed.map(({ path }) => path), keyed.map(({ key }) => key)],
    ),
  ]);
  for (const { name, got } of locks) if (!got) byName.delete(name);
  for (const { user_id: userId, path, key } of stored) byName.delete(lockName({ userId, path, key }));
  return new Set(byName.values());
}

/**
 * Stores the replies of requests whose keys are locked and new. Only the lock ensures one reply for each key: the unique index includes the
 * time, by which the table is partitioned.
 */
export async function storeReplies(tx: Tx, replies: { request: KeyedRequest; reply: unknown }[]): Promise<void> {
  if (replies.length === 0) return;
  const store = async () => {
    const stored = await tx.query(
      `insert into idempotency_keys (user_id, path, key, body_hash, reply, subject_id)
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::text[], $6::uuid[])
       on conflict do nothing returning 1`,
      [
        replies.map(({ request }) => request.userId),
        replies.map(({ request }) => request.path),
        replies.map(({ request }) => request.key),
        replies.map(({ request }) => request.bodyHash),
        replies.map(({ reply }) => JSON.stringify(reply ?? null)),
        replies.map(({ reply }) => subjectOf(reply)),
      ],
    );
    return stored.length === replies.length;
  };
  if (await store()) return;
  // While older servers run, the table is not partitioned and its unique index has no time: an expired reply is in the way.
  await tx.query(
    `delete from idempotency_keys using unnest($1::uuid[], $2::text[], $3::text[]) as given (user_id, path, key)
     where idempotency_keys.user_id = given.user_id and idempotency_keys.path = given.path and idempotency_keys.key = given.key
       and created_at <= now() - interval '7 days'`,
    [
      replies.map(({ request }) => request.userId),
      replies.map(({ request }) => request.path),
      replies.map(({ request }) => request.key),
    ],
  );
  await store();
}

function hashOf(body: unknown): Buffer {
  try {
    return createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest();
  } catch (error) {
    // JSON.stringify exceeded the stack: nested too deeply for any real client.
    if (error instanceof RangeError)
      throw new AppError('unreadable', 'The request could not be read: it is nested too deeply');
    throw error;
  }
}
