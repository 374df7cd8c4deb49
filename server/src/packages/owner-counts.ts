import type { Queryable } from '../platform/database/db.ts';

/**
 * Rolls the appended deltas of the owners' counts up. Safe to run concurrently: each row is moved exactly once. A row whose packages
 * are all gone stays, as zero: an owner has six at most.
 */
export const rollUpOwnerCounts = (db: Queryable) =>
  db.query(`
    with moved as (delete from owner_count_changes returning *)
    insert into owner_counts as kept (owner_id, status, packages)
    select owner_id, status, sum(packages) from moved group by owner_id, status order by owner_id, status
    on conflict (owner_id, status) do update set packages = kept.packages + excluded.packages`);
