import type { Queryable } from '../platform/database/db.ts';

/** SQL condition of what `waiting_counts` counts: what waits for a driver and is on no route. The same as in the migration. */
export const isCountedAsWaiting = (of: string) =>
  `${of}.status = 'processing' and ${of}.route_id is null and ${of}.next_step is distinct from 'collect'`;

/** SQL of the groups of a row: '-infinity' is no window, and no ETA. */
export const waitingGroup = `coalesce(address_postal_code, ''), coalesce(address_city, ''),
  coalesce(window_from, '-infinity'), coalesce(eta, '-infinity')`;
export const waitingGroupColumns = 'postal_code, city, window_from, eta';

/** Rolls the appended deltas up into the counts. Safe to run concurrently: each row is moved exactly once. */
export async function rollUpWaiting(db: Queryable): Promise<void> {
  await db.query(`
    with moved as (delete from waiting_changes returning *)
    insert into waiting_counts as kept (${waitingGroupColumns}, packages, kilograms)
    select ${waitingGroupColumns}, sum(packages), sum(kilograms) from moved group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (${waitingGroupColumns}) do update
      set packages = kept.packages + excluded.packages, kilograms = kept.kilograms + excluded.kilograms`);
  await db.query('delete from waiting_counts where packages = 0');
}
