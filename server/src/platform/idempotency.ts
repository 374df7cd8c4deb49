import { createHash } from 'node:crypto';
import type { Db, Tx } from './db.ts';
import { AppError } from './errors.ts';

export interface Repeat {
  userId: string;
  path: string;
  key: string;
  body: unknown;
}

/**
 * A database whose transaction happens once for a key: the first answer is kept beside the change, in the same commit,
 * and a repeat is answered with it. Meant for one request: its first transaction is the one that is kept.
 */
export function once(db: Db, { userId, path, key, body }: Repeat): Db {
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest();
  const attempt = <T>(work: (tx: Tx) => Promise<T>) =>
    db.transaction(async (tx) => {
      // The lock tells a repeat that comes while the first still runs; it ends with the transaction, whatever happens.
      const [lock] = await tx.query<{ got: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as got',
        [`${userId} ${path} ${key}`],
      );
      if (!lock?.got)
        throw new AppError('still_running', 'This request is still being carried out. Please try again in a moment.');
      const [first] = await tx.query<{ body_hash: Buffer; reply: string }>(
        `select body_hash, reply from idempotency_keys
         where user_id = $1 and path = $2 and key = $3 and created_at > now() - interval '7 days'`,
        [userId, path, key],
      );
      if (first && !first.body_hash.equals(bodyHash)) {
        throw new AppError('key_reused', 'This Idempotency-Key was used for another request');
      }
      // What was kept is what `work` returned then: the same endpoint, so the same type.
      if (first) return JSON.parse(first.reply) as T;
      const reply = await work(tx);
      await tx.query(
        `insert into idempotency_keys (user_id, path, key, body_hash, reply) values ($1, $2, $3, $4, $5)
         on conflict (user_id, path, key) do update
           set body_hash = excluded.body_hash, reply = excluded.reply, created_at = now()
           where idempotency_keys.created_at <= now() - interval '7 days'`,
        [userId, path, key, bodyHash, JSON.stringify(reply ?? null)],
      );
      return reply;
    });
  return { query: db.query, transaction: attempt };
}
