import { externalDatabase, readConfig, type Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { openLog } from '../observability/log.ts';
import { createDb, openPool, type Connection, type Db } from '../platform/database/db.ts';
import { useEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { inspectServer } from '../platform/database/inspect-server.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openProduct } from '../product.ts';

export interface Server {
  config: Config;
  connection: Connection;
  /** The running product that owns the embedded PostgreSQL, in words; null where there is none, or the PostgreSQL is not ours. */
  holder: string | null;
}

/** Reaches the configured PostgreSQL, whatever is in it: beside a running product, or started here for as long as the work takes. */
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

/** The configured database, up to date. */
export const withDatabase = <T>(work: (db: Db, server: Server) => Promise<T>): Promise<T> =>
  withPostgres(async (server) => {
    const { version } = await inspectServer(server.connection);
    await migrate(server.connection, console.log);
    const pool = openPool(server.connection, version, openLog('warn'), 1, 'cli');
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

/** The whole product on the configured database, neither listening nor running jobs. */
export const withProduct = <T>(work: (ctx: Ctx, server: Server) => Promise<T>): Promise<T> =>
  withDatabase(async (_db, server) => {
    const { config, connection } = server;
    const product = await openProduct({ config, connection, log: openLog('warn'), works: false });
    try {
      return await work(product.ctx, server);
    } finally {
      await product.close();
    }
  });
