import type { ListQuery } from '@waybill/contract';
import type { Queryable } from './db.ts';
import { invalid } from '../errors.ts';

/** A column of few values, such as a status, in the order in which they are listed. */
export interface Grouping {
  column: string;
  values: readonly string[];
}

/** The number of rows of a list. */
export interface Count {
  total: number;
  /** The count stopped at `total`: there are more rows. */
  isCapped: boolean;
}

export interface ListFilter {
  /** Adds an SQL condition. Values in it must be placeholders from `value`. */
  where(condition: string): void;
  /** Adds a parameter. @returns its placeholder, such as `$3` */
  value(value: unknown): string;
  values(): unknown[];
  /** `where … order by …` for an export: all rows that match the filters. */
  all(): string;
  /**
   * `where … order by … limit …` for the requested page, plus one row that shows whether there is a next page.
   * @param part a condition on this page alone, which the count leaves out
   * @param of SQL from the filters' `where`, for a page of what that selects
   */
  page(order?: ListOrder, how?: { part?: string; of?: (where: string) => string }): string;
  /**
   * The same page of a table with wide rows, found by its ids alone. Finding ids costs next to the same for any values, so PostgreSQL soon
   * plans the statement once for all values; planning the columns of `packages` for each request takes longer than reading a page of them.
   * @param merged the page has these values of a column, each read by an index on the column and the id. For several values at once a plan for
   *   any values reads and sorts all that match. Not for a search
   */
  pageByIds(table: string, order?: ListOrder, merged?: Grouping): string;
  /** Counts the rows that match the filters, by `countRows`. */
  count(db: Queryable, from: string): Promise<Count>;
}

/** Keyset pagination: a page begins after the keys of the last row of the page before, however many rows were inserted or deleted meanwhile. */
export interface ListOrder {
  /** SQL expressions that together identify a row. */
  keys: readonly string[];
  descending?: boolean;
  /** SQL for the keys of the cursor's row. Without it the cursor is itself the (only) key. */
  last?: (cursor: string, value: ListFilter['value']) => string;
}

/** A `last` for cursors that are ids of rows. */
export const keysOf =
  (keys: readonly string[], from: string, id = 'id'): NonNullable<ListOrder['last']> =>
  (cursor, value) =>
    `(select ${keys.join(', ')} from ${from} where ${id} = ${value(cursor)})`;

/**
 * What `q` searches: an SQL expression of text in lower case, a function from the lower-case term to a condition, or the ids of all
 * that match, at most some thousand.
 */
export type Search = string | ((term: string, value: ListFilter['value']) => string) | { ids: string[] };

/** The LIKE pattern for texts that contain the term. `%`, `_` and `\` in the term are escaped. */
export const likeContains = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * What all lists share: search, days, cursor, limit, count. Newest first, by ids that sort by time (UUIDv7).
 *
 * @param columns what `q` searches and the time that `from` and `to` filter; omitted where a list handles them itself. `createdBefore` is a
 *   column of UUIDs of version 7 whose time is never after that one: a page of an old day begins there, not at the newest row
 * @param values the statement's parameters before those of the list
 */
export function filterList(
  columns: { q?: Search; day?: string; createdBefore?: string; id?: string },
  query: Partial<ListQuery>,
  values: unknown[] = [],
): ListFilter {
  const newestFirst: ListOrder = { keys: [columns.id ?? 'id'], descending: true };
  const conditions: string[] = [];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  // Of an array that it does not know PostgreSQL expects ten rows, so it keeps one plan for all.
  const withIds =
    query.q && typeof columns.q === 'object'
      ? `${columns.id ?? 'id'} = any(array(select unnest(${value(columns.q.ids)}::uuid[])))`
      : null;
  if (withIds !== null) conditions.push(withIds);
  else if (query.q && columns.q !== undefined && typeof columns.q !== 'object') {
    const term = query.q.toLowerCase();
    conditions.push(
      typeof columns.q === 'string' ? `${columns.q} like ${value(likeContains(term))}` : columns.q(term, value),
    );
  }
  if (query.from && query.to && startOf(query.from) >= endOf(query.to)) {
    throw invalid({ to: 'The end must not be before the start' });
  }
  if (query.from && columns.day) conditions.push(`${columns.day} >= ${value(startOf(query.from))}`);
  if (query.to && columns.day) conditions.push(`${columns.day} < ${value(endOf(query.to))}`);
  if (query.to && columns.createdBefore)
    conditions.push(`${columns.createdBefore} < ${value(lowestIdAt(endOf(query.to).getTime() + clockSkewMs))}`);
  const where = (list: string[]) => (list.length > 0 ? `where ${list.join(' and ')}` : '');
  let counted: { where: string; values: unknown[] } | null = null;
  const filter: ListFilter = {
    where: (condition) => void conditions.push(condition),
    value,
    values: () => values,
    all: () => `${where(conditions)} order by ${orderBy(newestFirst)}`,
    page(order = newestFirst, { part, of } = {}) {
      counted = { where: where(conditions), values: [...values] };
      const source = of ? `${of(counted.where)} ` : '';
      if (of) conditions.length = 0;
      if (part) conditions.push(part);
      const { keys, descending, last = (cursor) => value(cursor) } = order;
      const row = keys.length === 1 ? keys[0] : `(${keys.join(', ')})`;
      if (query.cursor) conditions.push(`${row} ${descending ? '<' : '>'} ${last(query.cursor, value)}`);
      return `${source}${where(conditions)} order by ${orderBy(order)} limit ${(query.limit ?? 50) + 1}`;
    },
    pageByIds(table, order = newestFirst, merged) {
      const all = { where: where(conditions), values: [...values] };
      // A plan for any values might test the ids last, after reading all that the owner has in an index: `offset 0` prevents that.
      const isNarrowed = withIds !== null && conditions.length > 1;
      const from = isNarrowed ? `(select * from ${table} where ${withIds} offset 0) ${table}` : table;
      if (isNarrowed) conditions.shift();
      const page = filter.page(order, merged && { part: `${merged.column} = listed.in_group` });
      counted = all;
      const ids = merged
        ? `select of_group.id from unnest(${value(merged.values)}::text[]) as listed (in_group)
           cross join lateral (select id from ${from} ${page}) of_group order by ${orderBy(order)} limit ${(query.limit ?? 50) + 1}`
        : `select id from ${from} ${page}`;
      return `where id = any(array(${ids})) order by ${orderBy(order)}`;
    },
    count(db, from) {
      const { where: clause, values: counting } = counted ?? { where: where(conditions), values };
      return countRows(db, `${from} ${clause}`, counting);
    },
  };
  return filter;
}

export const maxCounted = 10_000;

/**
 * Counts rows up to 10,000: the time of an exact count grows with the number of rows.
 *
 * @param source a table with its `where`
 */
export async function countRows(db: Queryable, source: string, values: unknown[]): Promise<Count> {
  const [row] = await db.query<{ total: string }>(
    `select count(*) as total from (select from ${source} limit ${maxCounted + 1}) counted`,
    values,
  );
  const total = Number(row?.total ?? 0);
  return { total: Math.min(total, maxCounted), isCapped: total > maxCounted };
}

export const orderBy = ({ keys, descending = false }: ListOrder): string =>
  keys.map((key) => (descending ? `${key} desc` : key)).join(', ');

const dayMs = 86_400_000;
/** How far the clocks of two servers may differ, generously. */
const clockSkewMs = 3_600_000;
const maxIdMs = 2 ** 48 - 1;
const lowestIdAt = (ms: number): string => {
  const hex = Math.min(Math.max(ms, 0), maxIdMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
const isDay = (text: string) => text.length === 10;
const startOf = (text: string) => new Date(isDay(text) ? `${text}T00:00:00Z` : text);
const endOf = (text: string) =>
  isDay(text) ? new Date(startOf(text).getTime() + dayMs) : new Date(Date.parse(text) + 1);
