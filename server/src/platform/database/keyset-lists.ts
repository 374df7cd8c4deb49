import type { ListQuery } from '@waybill/contract';
import type { Queryable } from './db.ts';
import { invalid } from '../errors.ts';

/** How many rows a list has. */
export interface Count {
  total: number;
  /** There are more than that. */
  isCapped: boolean;
}

export interface ListFilter {
  /** Adds a condition; every value in it comes from `value`. */
  where(condition: string): void;
  /** The placeholder of a parameter. */
  value(value: unknown): string;
  values(): unknown[];
  /** `where … order by …` for an export: everything that the filters let through. */
  all(): string;
  /** `where … order by … limit …` for the page asked for, with one row more to see whether there is a next. */
  page(order?: ListOrder): string;
  /** How many rows the filters let through, by `countRows`. */
  count(db: Queryable, from: string): Promise<Count>;
}

/** A list is paged by keyset: the next page begins after the keys of the last row, however many rows have come or gone before it. */
export interface ListOrder {
  /** Expressions of a row, which together no two rows share. */
  keys: readonly string[];
  descending?: boolean;
  /** The keys of the row that the cursor stands for, as SQL. Without it the cursor is the one key. */
  last?: (cursor: string, value: ListFilter['value']) => string;
}

/** For `last`, where the cursor is the id of a row. */
export const keysOf =
  (keys: readonly string[], from: string, id = 'id'): NonNullable<ListOrder['last']> =>
  (cursor, value) =>
    `(select ${keys.join(', ')} from ${from} where ${id} = ${value(cursor)})`;

/** What `q` looks through: a text in lower case, or a condition made from the term in lower case. */
export type Search = string | ((term: string, value: ListFilter['value']) => string);

/** The pattern of what contains the term. Somebody who types % or _ means the character. */
export const likeContains = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * What every list shares: search, days, cursor, limit, count. Newest first, by ids that sort by time.
 *
 * @param columns what `q` searches, the time that `from` and `to` bound; left out where a list has a meaning of its own for them
 * @param values parameters that the statement has before those of the list
 */
export function filterList(
  columns: { q?: Search; day?: string; id?: string },
  query: Partial<ListQuery>,
  values: unknown[] = [],
): ListFilter {
  const newestFirst: ListOrder = { keys: [columns.id ?? 'id'], descending: true };
  const conditions: string[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  if (query.q && columns.q !== undefined) {
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
  const where = (list: string[]) => (list.length > 0 ? `where ${list.join(' and ')}` : '');
  let counted: { where: string; values: unknown[] } | null = null;
  return {
    where: (condition) => void conditions.push(condition),
    value,
    values: () => values,
    all: () => `${where(conditions)} order by ${sortedBy(newestFirst)}`,
    page(order = newestFirst) {
      counted = { where: where(conditions), values: [...values] };
      const { keys, descending, last = (cursor) => value(cursor) } = order;
      const row = keys.length === 1 ? keys[0] : `(${keys.join(', ')})`;
      if (query.cursor) conditions.push(`${row} ${descending ? '<' : '>'} ${last(query.cursor, value)}`);
      return `${where(conditions)} order by ${sortedBy(order)} limit ${(query.limit ?? 50) + 1}`;
    },
    count(db, from) {
      const { where: clause, values: counting } = counted ?? { where: where(conditions), values };
      return countRows(db, `${from} ${clause}`, counting);
    },
  };
}

const maxCounted = 10_000;

/**
 * Counts rows, and stops at 10,000: an exact count takes longer with every row there is.
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

export const sortedBy = ({ keys, descending = false }: ListOrder): string =>
  keys.map((key) => (descending ? `${key} desc` : key)).join(', ');

const dayMs = 86_400_000;
const isDay = (text: string) => text.length === 10;
const startOf = (text: string) => new Date(isDay(text) ? `${text}T00:00:00Z` : text);
const endOf = (text: string) =>
  isDay(text) ? new Date(startOf(text).getTime() + dayMs) : new Date(Date.parse(text) + 1);
