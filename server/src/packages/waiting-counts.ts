import type { Queryable } from '../platform/database/db.ts';

/** SQL condition of what `waiting_counts` counts: what waits for a driver and is on no route. The same as in the migration. */
export const isCountedAsWaiting = (of: string) =>
  `${of}.status = 'processing' and ${of}.route_id is null and ${of}.next_step is distinct from 'collect'`;

/** SQL of the groups of a row: '-infinity' is no window, and no ETA. */
export const waitingGroup = `coalesce(address_postal_code, ''), coalesce(address_city, ''),
  coalesce(window_from, '-infinity'), coalesce(eta, '-infinity')`;
export const waitingGroupColumns = 'postal_code, city, window_from, eta';

/** SQL of what `waiting_totals` has, from rows with the columns of `waiting_counts`. */
export const waitingTotals = (from: string): string =>
  `select postal_code, city, window_from > '-infinity' as has_window, sum(packages), sum(kilograms) from ${from} group by 1, 2, 3`;

const addTo = (table: string, columns: string, rows: string) => `
    insert into ${table} as kept (${columns}, packages, kilograms) ${rows}
    on conflict (${columns}) do update set packages = kept.packages + excluded.packages, kilograms = kept.kilograms + excluded.kilograms`;

/** SQL that adds rows to the totals. Rows in order, so that those who add at once do not wait for each other in a circle. */
export const addToTotals = (rows: string): string => addTo('waiting_totals', 'postal_code, city, has_window', rows);

/** Rolls the appended deltas up into the counts and their totals. Safe to run concurrently: each row is moved exactly once. */
export async function rollUpWaiting(db: Queryable): Promise<void> {
  const counts = `select ${waitingGroupColumns}, sum(packages), sum(kilograms) from moved group by 1, 2, 3, 4 order by 1, 2, 3, 4`;
  await db.query(`
    with moved as materialized (delete from waiting_changes returning *),
      counted as (${addTo('waiting_counts', waitingGroupColumns, counts)})
    ${addToTotals(`${waitingTotals('moved')} order by 1, 2, 3`)}`);
  for (const table of ['waiting_counts', 'waiting_totals']) await db.query(`delete from ${table} where packages = 0`);
}
