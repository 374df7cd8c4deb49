import type pg from 'pg';

/** Rows of each table by its name; partitions count with their table. */
export type RowCounts = Map<string, number>;

/** Counts the rows of all tables, exactly: for small databases. */
async function countRows(client: pg.Client): Promise<RowCounts> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'jobs') and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const counts: RowCounts = new Map();
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

/** @returns rows added per write */
export const rowsAdded = (before: RowCounts, after: RowCounts, writes: number): RowCounts =>
  new Map(Array.from(after, ([table, count]) => [table, (count - (before.get(table) ?? 0)) / writes]));

/** Runs `work`, which writes this many times. @returns the rows that it adds to each table, per write */
export async function rowsAddedBy(client: pg.Client, writes: number, work: () => Promise<unknown>): Promise<RowCounts> {
  const before = await countRows(client);
  await work();
  return rowsAdded(before, await countRows(client), writes);
}

/**
 * Compares the rows that the product and a baseline add per write. Less than one row for two writes is not compared: background work moves
 * rows now and then.
 * @returns what differs, as sentences
 */
export function differences(product: RowCounts, baseline: RowCounts): string[] {
  const tables = [...new Set([...product.keys(), ...baseline.keys()])].toSorted();
  return tables.flatMap((table) => {
    const [ours, theirs] = [product.get(table) ?? 0, baseline.get(table) ?? 0];
    if (Math.abs(ours - theirs) < 0.5) return [];
    return [`rows in ${table} per write: ${ours.toFixed(1)} by the product, ${theirs.toFixed(1)} by the baseline`];
  });
}
