import type { Queryable } from '../platform/database/db.ts';

/** SQL condition of what `waiting_counts` counts: what waits for a driver and is on no route. The same as in the migration. */
export const isCountedAsWaiting = (of: string) =>
  `${of}.status = 'processing' and ${of}.route_id is null and ${of}.next_step is distinct from 'collect'`;

/** SQL of the groups of a row: '-infinity' is no window, and no ETA. */
export const waitingGroup = `coalesce(address_postal_code, ''), coalesce(address_city, ''),
  coalesce(window_from, '-infinity'), coalesce(eta, '-infinity'), owner_id, floor(weight)::int, failed_at is not null`;
export const waitingGroupColumns = 'postal_code, city, window_from, eta, owner_id, whole_kilograms, has_failed';

/** SQL of rows as in `waiting_changes`, one for each package that is counted. */
export const waitingPackages = `(select ${waitingGroup}, 1, weight from packages where ${isCountedAsWaiting('packages')})
    counted (${waitingGroupColumns}, packages, kilograms)`;

/** The tables that `waiting_changes` is rolled up into: the columns that each has a row of. */
const sums = {
  waiting_counts: ['postal_code', 'city', 'window_from', 'eta'],
  waiting_totals: ['postal_code', 'city', 'has_window'],
  waiting_by_owner: ['owner_id', 'postal_code', 'city'],
  waiting_by_weight: ['whole_kilograms', 'postal_code', 'city'],
  waiting_by_attempts: ['has_failed', 'postal_code', 'city'],
  waiting_by_owner_and_weight: ['owner_id', 'whole_kilograms', 'postal_code', 'city'],
  waiting_by_owner_and_window: ['owner_id', 'postal_code', 'city', 'window_from', 'eta'],
  waiting_by_weight_and_window: ['whole_kilograms', 'postal_code', 'city', 'window_from', 'eta'],
};
export type WaitingSums = keyof typeof sums;
export const waitingSums = Object.keys(sums) as WaitingSums[];
export const keyOfWaitingSums = (table: WaitingSums): string => sums[table].join(', ');

/** SQL of what a table has, from rows with the columns of `waiting_changes`. Its key stands first. */
export const sumsOfWaiting = (table: WaitingSums, from: string): string => {
  const key = sums[table].map((column) =>
    column === 'has_window' ? `window_from > '-infinity' as has_window` : column,
  );
  return `select ${key.join(', ')}, sum(packages), sum(kilograms) from ${from} group by ${sums[table].map((_, index) => index + 1).join(', ')}`;
};

/** SQL that adds rows to a table. In the order of its key, so that those who add at once do not wait for each other in a circle. */
export const addToWaitingSums = (table: WaitingSums, rows: string): string => `
    insert into ${table} as kept (${keyOfWaitingSums(table)}, packages, kilograms) ${rows} order by ${sums[table].map((_, index) => index + 1).join(', ')}
    on conflict (${keyOfWaitingSums(table)}) do update set packages = kept.packages + excluded.packages, kilograms = kept.kilograms + excluded.kilograms`;

/** Counts anew what waits, where nobody writes packages meanwhile. */
export async function recountWaiting(db: { query(sql: string): Promise<unknown> }): Promise<void> {
  await db.query('delete from waiting_changes');
  for (const table of waitingSums) {
    await db.query(`delete from ${table}`);
    await db.query(
      `insert into ${table} (${keyOfWaitingSums(table)}, packages, kilograms) ${sumsOfWaiting(table, waitingPackages)}`,
    );
  }
}

/** Rolls the appended deltas up into the counts and sums. Safe to run concurrently: each row is moved exactly once. */
export async function rollUpWaiting(db: Queryable): Promise<void> {
  const added = waitingSums.map(
    (table, index) => `added_${index} as (${addToWaitingSums(table, sumsOfWaiting(table, 'moved'))})`,
  );
  await db.query(
    `with moved as materialized (delete from waiting_changes returning *), ${added.join(', ')} select from moved limit 1`,
  );
  for (const table of waitingSums) await db.query(`delete from ${table} where packages = 0`);
}
