import { externalDatabase, readConfig, type Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { openLog } from '../observability/log.ts';
import { createDb, openPool, type Connection, type Db } from '../platform/database/db.ts';
import { useEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { inspectServer } from '../platform/database/inspect-server.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openServer } from '../server.ts';

export interface Server {
  config: Config;
  connection: Connection;
  /** Describes the running product that owns the embedded PostgreSQL; null if none runs, or the PostgreSQL is external. */
  holder: string | null;
}

/**
 * Runs `work` on the configured PostgreSQL, whatever its schema. An embedded one is shared with a running product, or else started
 * for the duration of the work.
 */
export async function withPostgres<T>(
  work: (server: Server) => Promise<T>,
  config = readConfig(process.env),
): Promise<T> {
  const external = externalDatabase(config);
  if (external) return work({ config, connection: external, holder: null });
  const postgres = await useEmbeddedPostgres({ dataDir: config.DATA_DIR, log: () => {} });
  try {
    return await work({ config, connection: postgres.connection, holder: postgres.holder });
  } finally {
    await postgres.stop();
  }
}

/** Runs `work` on the configured database after applying pending migrations. */
export const withDatabase = <T>(work: (db: Db, server: Server) => Promise<T>): Promise<T> =>
  withPostgres(async (server) => {
    const { version } = await inspectServer(server.connection);
    await migrate(server.connection, console.log);
    const pool = openPool(server.connection, version, openLog('warn'), 1, { role: 'cli' });
    try {
      const noJobs = () => Promise.reject(new Error('this work puts no jobs into the queue'));
      return await work(
        createDb(pool, noJobs, () => {}),
        server,
      );
    } finally {
      await pool.close();
    }
  });

/** Runs `work` with the whole product on the configured database; it neither listens nor runs jobs. */
export const withProduct = <T>(work: (ctx: Ctx, server: Server) => Promise<T>): Promise<T> =>
  withDatabase(async (_db, server) => {
    const { config, connection } = server;
    const product = await openServer({ config, connection, log: openLog('warn'), runsJobs: false });
    try {
      return await work(product.ctx, server);
    } finally {
      await product.close();
    }
  });
