import { isOverdue } from '../packages/lists.ts';
import type { Queryable } from '../platform/database/db.ts';

/** Counts unfinished deliveries past the end of their window, or else of their eta's day in the zone. */
export async function countOverdue(db: Queryable, zone: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from packages where ${isOverdue('$1', '$2')}`,
    [now, zone],
  );
  return row?.count ?? 0;
}
