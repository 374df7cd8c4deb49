import type { Pool } from './db.ts';

/** Runs `work` in this process, unless another one on the same database is at it; the lock ends with the process, whatever happens. */
export async function alone(pool: Pool, lock: number, work: () => Promise<void>): Promise<void> {
  const client = await pool.pool.connect();
  let lost: Error | undefined;
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lock]);
    if (!rows[0]?.got) return;
    try {
      await work();
    } finally {
      // A connection that cannot give the lock back must not go back to the pool with it.
      await client.query('select pg_advisory_unlock($1)', [lock]).catch((error: Error) => (lost = error));
    }
  } finally {
    client.release(lost);
  }
}
