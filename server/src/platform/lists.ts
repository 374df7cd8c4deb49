import type { ListQuery } from '@waybill/contract';
import type { Queryable } from './db.ts';
import { invalid } from './errors.ts';

export interface ListFilter {
  /** Adds a condition; every value in it comes from `value`. */
  where(condition: string): void;
  /** The placeholder of a parameter. */
  value(value: unknown): string;
  values(): unknown[];
  /** `where … order by …` for an export: everything that the filters let through. */
  all(order?: string): string;
  /**
   * `where … order by … limit …` for the page asked for, with one row more to see whether there is a next.
   * @param after what comes after the row with the id in a placeholder, in that order
   */
  page(order?: string, after?: (cursor: string) => string): string;
  count(db: Queryable, from: string): Promise<number>;
}

/** What `q` looks through: a text in lower case, or a condition made from the term in lower case. */
export type Search = string | ((term: string, value: ListFilter['value']) => string);

/** The pattern of what contains the term. Somebody who types % or _ means the character. */
export const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * What every list shares: search, days, cursor, limit, count. Newest first, by ids that sort by time.
 *
 * @param columns what `q` searches, the time that `from` and `to` bound
 */
export function filterList(columns: { q: Search; day: string; id?: string }, query: Partial<ListQuery>): ListFilter {
  const id = columns.id ?? 'id';
  const conditions: string[] = [];
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  if (query.q) {
    const term = query.q.toLowerCase();
    conditions.push(
      typeof columns.q === 'string' ? `${columns.q} like ${value(containing(term))}` : columns.q(term, value),
    );
  }
  if (query.from && query.to && startOf(query.from) >= endOf(query.to)) {
    throw invalid({ to: 'The end must not be before the start' });
  }
  if (query.from) conditions.push(`${columns.day} >= ${value(startOf(query.from))}`);
  if (query.to) conditions.push(`${columns.day} < ${value(endOf(query.to))}`);
  const where = (list: string[]) => (list.length > 0 ? `where ${list.join(' and ')}` : '');
  let counted: { where: string; values: unknown[] } | null = null;
  return {
    where: (condition) => void conditions.push(condition),
    value,
    values: () => values,
    all: (order = `${id} desc`) => `${where(conditions)} order by ${order}`,
    page(order = `${id} desc`, after = (cursor) => `${id} < ${cursor}`) {
      counted = { where: where(conditions), values: [...values] };
      if (query.cursor) conditions.push(after(value(query.cursor)));
      return `${where(conditions)} order by ${order} limit ${(query.limit ?? 50) + 1}`;
    },
    async count(db, from) {
      const { where: clause, values: counting } = counted ?? { where: where(conditions), values };
      const [row] = await db.query<{ total: string }>(`select count(*) as total from ${from} ${clause}`, counting);
      return Number(row?.total ?? 0);
    },
  };
}

const dayMs = 86_400_000;
const isDay = (text: string) => text.length === 10;
const startOf = (text: string) => new Date(isDay(text) ? `${text}T00:00:00Z` : text);
const endOf = (text: string) =>
  isDay(text) ? new Date(startOf(text).getTime() + dayMs) : new Date(Date.parse(text) + 1);
