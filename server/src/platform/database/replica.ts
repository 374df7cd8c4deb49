import type pg from 'pg';
import type { Logger } from 'pino';
import { poolOptions } from './database-client.ts';
import type { Connection } from './database-url.ts';
import { createPool, openPool, runStatement, type Pool, type Queryable } from './db.ts';

/** How long a replica that failed is left alone. */
const retryAfterMs = 5000;

/** Connections of one process to the replica for exports. */
const exportConnections = 2;

interface Position {
  lsn: string;
  timeline: number;
  system: string;
}

/** The primary's position in its write-ahead log (LSN). Every commit that was acknowledged before lies below it. */
const primaryPositionSql = `
  select pg_current_wal_lsn()::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
    (select system_identifier::text from pg_control_system()) as system`;

/**
 * Whether the replica has replayed the log up to that position, on the same timeline: after a failover that lost transactions, a standby of
 * the old primary can be further ahead and wrong all the same. For minutes after a failover this is false: a standby learns its new
 * timeline at its next restart point.
 */
const isCaughtUpSql = `
  select coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
    and (select timeline_id from pg_control_checkpoint()) = $2
    and (select system_identifier::text from pg_control_system()) = $3, false) as is_caught_up`;

/** A read replica: a standby that answers reads when it has replayed everything that was committed before them. */
export interface Replica {
  /**
   * Sends statements to the replica, and to the primary if the replica is behind, fails, or cancels the statement because of what it replays.
   * Costs one short statement on the primary each.
   * @param max connections to the replica
   * @param hangsAfterMs when the primary answers in place of a replica that does not
   */
  reads(primary: Pool, role: string, max: number, hangsAfterMs?: number): Queryable;
  /**
   * Begins an export on a connection that has everything that was committed before the call. Null if the primary has to answer, also where
   * the replica fails while `read` reads the first rows.
   * @param signal of a caller who leaves, which is no failure of the replica
   */
  begin<T>(
    read: (client: pg.PoolClient) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ client: pg.PoolClient; result: T } | null>;
  /** Statements and exports answered by each server. */
  counts(): { replica: number; primary: number };
  close(): Promise<void>;
}

interface ReplicaOptions {
  primary: Pool;
  connection: Connection;
  serverVersion: number;
  log: Logger;
  exportSettings: Record<string, string>;
}

export function openReplica({ primary, connection, serverVersion, log, exportSettings }: ReplicaOptions): Replica {
  const exports = createPool(log, {
    ...poolOptions(connection, {
      role: 'replica exports',
      acceptsStandby: true,
      connectionTimeoutMillis: 2000,
      settings: exportSettings,
    }),
    max: exportConnections,
    idleTimeoutMillis: 1000,
  });
  const pools: { close(): Promise<void> }[] = [exports];
  const counts = { replica: 0, primary: 0 };
  let isUsableAt = 0;

  /** Runs `read` on a connection of the replica, after asking the primary where it stands. Null if that does not work. */
  async function onReplica<T>(
    from: Pool,
    replica: pg.Pool,
    read: (client: pg.PoolClient, position: Position) => Promise<T | null>,
    signal?: AbortSignal,
  ): Promise<{ client: pg.PoolClient; result: T } | null> {
    const now = performance.now();
    if (now < isUsableAt) return null;
    // After a failure one read tries it again: if it hangs, the others do not wait with it.
    if (isUsableAt > 0) isUsableAt = now + retryAfterMs;
    let client: pg.PoolClient | null = null;
    try {
      const [position] = await from.query<Position>(primaryPositionSql);
      client = await replica.connect();
      const result = position ? await read(client, position) : null;
      isUsableAt = 0;
      if (result !== null) return { client, result };
      client.release();
    } catch (error) {
      client?.release(true);
      if (signal?.aborted) throw error;
      isUsableAt = performance.now() + retryAfterMs;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason }, 'the read replica failed; the primary answers for a while');
    }
    return null;
  }
  async function isCaughtUp(client: pg.PoolClient, { lsn, timeline, system }: Position): Promise<boolean> {
    const [row] = await runStatement<{ is_caught_up: boolean }>(client, isCaughtUpSql, [lsn, timeline, system]);
    return row?.is_caught_up === true;
  }

  return {
    reads(from, role, max, hangsAfterMs) {
      const pool = openPool(connection, serverVersion, log, max, { role, acceptsStandby: true, hangsAfterMs });
      pools.push(pool);
      return {
        async query<Row extends object>(sql: string, params: unknown[] = []) {
          const answer = await onReplica(from, pool.pool, async (client, position) => {
            // Pipelined: a replica only moves forward, so the rows are no older than its answer to the check before them.
            const [caughtUp, rows] = await Promise.all([
              isCaughtUp(client, position),
              runStatement<Row>(client, sql, params),
            ]);
            return caughtUp ? rows : null;
          });
          answer?.client.release();
          counts[answer ? 'replica' : 'primary']++;
          return answer ? answer.result : from.query<Row>(sql, params);
        },
      };
    },
    async begin(read, signal) {
      const begun = await onReplica(
        primary,
        exports.pool,
        async (client, position) => ((await isCaughtUp(client, position)) ? read(client) : null),
        signal,
      );
      counts[begun ? 'replica' : 'primary']++;
      return begun;
    },
    counts: () => ({ ...counts }),
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
