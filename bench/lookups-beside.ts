import pg from 'pg';
import { startChild } from './child-process.ts';
import type { Connection } from './databases.ts';
import type { SteadyLoad } from './steady-lookups.ts';

export const lookupsPerSecond = 200;

/** Lookups at a steady rate, to compare them alone and beside other work. */
export interface LookupsBeside {
  /** Runs them for the given time. @returns their 99th percentile, in ms */
  p99(): Promise<number>;
  stop(): Promise<void>;
}

export async function startLookups(url: string, connection: Connection, seconds: number): Promise<LookupsBeside> {
  const trackingIds = await someTrackingIds(connection);
  const child = await startChild<SteadyLoad, number>('./steady-lookups.ts');
  return {
    p99: () => child.run({ url, trackingIds, perSecond: lookupsPerSecond, seconds }),
    stop: () => child.stop(),
  };
}

async function someTrackingIds(connection: Connection): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string }>(
    'select tracking_id from packages order by random() limit 1000',
  );
  await client.end();
  return rows.map((row) => row.tracking_id);
}
