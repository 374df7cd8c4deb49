import type { Db, Queryable } from '../platform/database/db.ts';
import type { SortedRow } from '../platform/database/sorted-lists.ts';
import { packageColumns, type PackageRow } from './row.ts';

/**
 * Reads a page of packages: first the ids alone, then their rows. What a page selects is often planned for its values, and to plan the
 * columns of packages each time takes longer than to read a page of them: so they are a statement of their own, which is planned once. Both
 * see the same state: what a driver takes in between is still as the page has selected it.
 * @param source SQL of the page, from the table on
 * @param sortKey SQL of what the cursor of a sorted list continues from
 */
export async function readPage(
  db: Db,
  source: string,
  values: unknown[],
  sortKey = "''",
): Promise<(PackageRow & SortedRow)[]> {
  return db.snapshot(async (snapshot) => {
    const page = await snapshot.query<SortedRow>(`select id, ${sortKey} as sort_key from ${source}`, values);
    const rows = await readRows(
      snapshot,
      page.map(({ id }) => id),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return page.flatMap(({ id, sort_key: key }) => {
      const row = byId.get(id);
      return row ? [{ ...row, sort_key: key }] : [];
    });
  });
}

/** In any order. PostgreSQL expects ten rows of an array that it does not know, so it keeps one plan for all. */
export const readRows = async (db: Queryable, ids: string[]): Promise<PackageRow[]> =>
  ids.length === 0
    ? []
    : db.query<PackageRow>(`select ${packageColumns} from packages where id = any(array(select unnest($1::uuid[])))`, [
        ids,
      ]);
