import { createHash } from 'node:crypto';
import { subjectOf } from '@waybill/contract';
import type { Db, Tx } from '../database/db.ts';
import { AppError } from '../errors.ts';

export interface IdempotentRequest {
  userId: string;
  /** The route with its path parameters, as in the contract: the query does not count, nor how the address was written. */
  path: string;
  key: string;
  body: unknown;
  /** Whether the caller may still see what the first answer shows. @throws not_found or forbidden otherwise */
  requireVisible(tx: Tx, reply: unknown): Promise<void>;
}

/** Ids make paths short. What is longer all the same must fit the index. */
const maxPathLength = 400;

/** A route of the contract with its parameters filled in. */
export function pathOf(route: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const path = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
  return path.length <= maxPathLength ? path : `${route} ${createHash('sha256').update(path).digest('base64url')}`;
}

/**
 * A database whose transaction happens once for a key: the first answer is kept beside the change, in the same commit,
 * and a repeat is answered with it. Meant for one request: its first transaction is the one that is kept.
 */
export function idempotent(db: Db, { userId, path, key, body, requireVisible }: IdempotentRequest): Db {
  const bodyHash = hashOf(body);
  const attempt = <T>(work: (tx: Tx) => Promise<T>) =>
    db.transaction(async (tx) => {
      // The lock tells a repeat that comes while the first still runs; it ends with the transaction, whatever happens.
      const [lock] = await tx.query<{ got: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as got',
        [`${userId} ${path} ${key}`],
      );
      if (!lock?.got)
        throw new AppError('still_running', 'This request is still being carried out. Please try again in a moment.');
      const [first] = await tx.query<{ body_hash: Buffer; reply: string | null }>(
        `select body_hash, reply from idempotency_keys
         where user_id = $1 and path = $2 and key = $3 and created_at > now() - interval '7 days'`,
        [userId, path, key],
      );
      if (first && !first.body_hash.equals(bodyHash)) {
        throw new AppError('key_reused', 'This Idempotency-Key was used for another request');
      }
      if (first) {
        // What was kept is what `work` returned then: the same endpoint, so the same type.
        const reply = JSON.parse(first.reply ?? 'null') as T;
        await requireVisible(tx, reply);
        return reply;
      }
      const reply = await work(tx);
      await tx.query(
        `insert into idempotency_keys (user_id, path, key, body_hash, reply, subject_id) values ($1, $2, $3, $4, $5, $6)
         on conflict (user_id, path, key) do update
           set body_hash = excluded.body_hash, reply = excluded.reply, subject_id = excluded.subject_id, created_at = now()
           where idempotency_keys.created_at <= now() - interval '7 days'`,
        [userId, path, key, bodyHash, JSON.stringify(reply ?? null), subjectOf(reply)],
      );
      return reply;
    });
  return { query: db.query, transaction: attempt };
}

function hashOf(body: unknown): Buffer {
  try {
    return createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest();
  } catch (error) {
    // Nested deeper than the stack: nothing that a form sends.
    if (error instanceof RangeError)
      throw new AppError('unreadable', 'The request could not be read: it is nested too deeply');
    throw error;
  }
}
