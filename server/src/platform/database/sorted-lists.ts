import { invalidCursor } from '@waybill/contract';
import { invalid } from '../errors.ts';
import { orderBy, type Grouping, type ListFilter, type ListOrder } from './keyset-lists.ts';

/** What a list can be sorted by: an SQL expression that is never null, or a column of few values (the newest first within each). */
export type SortField = { type: 'text' | 'timestamptz'; key: string } | ({ type: 'group' } & Grouping);

/** `sort_key` is the value that the cursor continues from, as text: of full precision, which a JavaScript date has not. */
export interface SortedRow {
  id: string;
  sort_key: string;
}

/**
 * How the rows are found. `index`: by an index in this order. `merge`: by an index that has another column first; the pages of its values are
 * merged, so that it takes the same time however many rows each has. `all`: all rows that match are read and sorted; for few rows.
 */
export type SortBy = 'index' | 'all' | { merge: Grouping };

interface SortedList {
  table: string;
  /** With all conditions of the list. */
  filter: ListFilter;
  /** A field of `fields`, with a `-` before it for descending; or `createdAt`, by ids that sort by time (UUIDv7). */
  sort: string;
  fields: Record<string, SortField>;
  limit: number;
  by: SortBy;
}

/**
 * Pages of a list that is sorted by a field. Its cursor contains the last row's value, not only its id: if that row changes before the next
 * page is read, no row is skipped or repeated.
 *
 * @returns SQL: what to select from, and the expression of `sort_key`
 */
export function sortedPage({ table, filter, sort, fields, limit, by }: SortedList): {
  source: string;
  sortKey: string;
} {
  const descending = sort.startsWith('-');
  const field = fields[nameOf(sort)];
  if (!field) {
    const merged = typeof by === 'object' ? by.merge : undefined;
    return {
      source: `${table} ${filter.pageByIds(table, { keys: ['id'], descending, last: idOfCursor }, merged)}`,
      sortKey: "''",
    };
  }
  if (field.type === 'group') return pageOfGroups(table, filter, groupsOf(field, by, descending), sort, limit);
  const { key, type } = field;
  const sortKey = `(${key})::text`;
  const order: ListOrder = {
    keys: [key, 'id'],
    descending,
    last(cursor, value) {
      const [text, id] = parseCursor(cursor, sort, type === 'text' ? isText : isTimestamp);
      return `(${value(text)}::${type}, ${value(id)}::uuid)`;
    },
  };
  if (by === 'index') return { source: `${table} ${filter.page(order)}`, sortKey };
  // `offset 0` keeps the planner from searching for the matches in an index of this order.
  if (by === 'all')
    return {
      source: filter.page(order, { of: (where) => `(select * from ${table} ${where} offset 0) ${table}` }),
      sortKey,
    };
  const page = filter.page(order, { part: `${by.merge.column} = listed.in_group` });
  return {
    source: `unnest(${filter.value(by.merge.values)}::text[]) as listed (in_group) cross join lateral (select * from ${table} ${page}) ${table}
      order by ${orderBy(order)} limit ${limit + 1}`,
    sortKey,
  };
}

/** The values in the list's order that the list can have. */
function groupsOf({ column, values }: Grouping, by: SortBy, descending: boolean): Grouping {
  const wanted = typeof by === 'object' && by.merge.column === column ? by.merge.values : values;
  return { column, values: (descending ? values.toReversed() : values).filter((value) => wanted.includes(value)) };
}

/** SQL for a page of one group after another, the newest first within each. Each is read by an index on the column and the id. */
function pageOfGroups(
  table: string,
  filter: ListFilter,
  { column, values }: Grouping,
  sort: string,
  limit: number,
): { source: string; sortKey: string } {
  let rest = values;
  const order: ListOrder = {
    keys: ['id'],
    descending: true,
    last(cursor, value) {
      const [group, id] = parseCursor(cursor, sort, (text) => values.includes(text));
      rest = values.slice(values.indexOf(group));
      // Of the groups after it, every id qualifies.
      return `case listed.in_group when ${value(group)} then ${value(id)}::uuid else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end`;
    },
  };
  const page = filter.page(order, { part: `${column} = listed.in_group` });
  return {
    source: `unnest(${filter.value(rest)}::text[]) with ordinality as listed (in_group, place)
      cross join lateral (select * from ${table} ${page}) ${table} order by listed.place, id desc limit ${limit + 1}`,
    sortKey: column,
  };
}

const nameOf = (sort: string) => sort.replace(/^-/, '');

/** The cursor after this row. */
export const cursorAfter = (sort: string, { id, sort_key: key }: Pick<SortedRow, 'id'> & Partial<SortedRow>): string =>
  nameOf(sort) === 'createdAt' ? id : Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The key of a cursor in the order of ids. @throws invalid for a cursor of another order */
export const idOfCursor: NonNullable<ListOrder['last']> = (cursor, value) => {
  if (!uuid.test(cursor)) throw invalid({ cursor: invalidCursor });
  return value(cursor);
};

/** @throws invalid unless it is a cursor of this order: the database would fail on other texts */
function parseCursor(cursor: string, sort: string, isKey: (text: string) => boolean): [key: string, id: string] {
  const [of, key, id] = parseArray(Buffer.from(cursor, 'base64url').toString());
  if (of !== sort || typeof key !== 'string' || typeof id !== 'string' || !isKey(key) || !uuid.test(id))
    throw invalid({ cursor: invalidCursor });
  return [key, id];
}

function parseArray(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** PostgreSQL stores neither NUL nor invalid UTF-8. */
const isText = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Whether it is a time as PostgreSQL writes it: ISO with the zone UTC. */
function isTimestamp(text: string): boolean {
  if (/^-?infinity$/.test(text)) return true;
  const [, year, month, day] =
    /^([1-9]\d{3,4})-(\d\d)-(\d\d) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?\+00$/.exec(text) ?? [];
  if (!year) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}
