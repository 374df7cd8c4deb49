import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../platform/database/db.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { listTables } from '../cli/tables.ts';

export async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Maps each table to its number of rows and a hash of them; also `sequences` and `jobs` (the unfinished ones). */
export const digestOf = (connection: Connection): Promise<Record<string, string>> =>
  withClient(connection, async (client) => {
    const digests: Record<string, string> = {};
    const hash = async (name: string, select: string) => {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(line, e'\\n' order by line)), '') as digest
         from (select (row (${select.startsWith('select') ? 'x.*' : select})::text) as line from ${select.startsWith('select') ? `(${select}) x` : name}) lines`,
      );
      digests[name] = rows[0]?.digest ?? '';
    };
    for (const { name, columns } of await listTables(client)) await hash(name, columns.join(', '));
    await hash(
      'jobs',
      "select id, name, data, created_on, retry_limit from jobs.job where state in ('created', 'retry', 'active')",
    );
    await hash('sequences', "select sequencename, last_value from pg_sequences where schemaname = 'public'");
    return digests;
  });

/** Maps the path of each stored file to a hash of its content. */
export async function filesIn(storage: Storage): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for await (const { path } of storage.list('')) {
    const stored = await storage.get(path);
    if (stored)
      digests[path] = createHash('sha256')
        .update(Buffer.concat(await stored.stream.toArray()))
        .digest('hex');
  }
  return digests;
}
