import type { CreatePackageInput } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { asContent } from './content.ts';
import { contentOfRows, findByContent, findByTrackingId, type Alike } from './import-queries.ts';
import { takenReferences } from './queries.ts';

/** Rows looked up by one statement: it has to end within the time of a request's statements. */
const rowsAtOnce = 1000;

/**
 * For each row of a file why it is left out, or null: its package is there already.
 *
 * A row with a reference is known by that; one with a tracking ID by that and its content; any other by its content, the n-th equal row
 * by the n-th such package. What was cancelled or deleted is not there.
 */
export async function findThere(
  db: Queryable,
  ownerId: string,
  rows: readonly (CreatePackageInput | null)[],
): Promise<(string | null)[]> {
  const reasons = rows.map((): string | null => null);
  const contents = new Map<number, string>();
  const alike = new Map<string, Alike>();
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    for (const [index, reason] of await findReferences(db, ownerId, some)) reasons[from + index] = reason;
    const others = some.flatMap((input, index) => (input && input.reference == null ? [{ input, index }] : []));
    if (others.length === 0) continue;
    const hashes = await contentOfRows(
      db,
      others.map(({ input }) => asContent(input, [])),
    );
    for (const [place, { index }] of others.entries()) contents.set(from + index, hashes[place] ?? '');
    for (const found of await findByContent(db, ownerId, [...new Set(hashes)]))
      alike.set(`${found.registered} ${found.current}`, found);
  }
  const named = await findTrackingIds(db, ownerId, rows, contents);
  for (const [index, found] of named) {
    reasons[index] = `${rows[index]?.trackingId ?? 'This package'} is there already`;
    // That package stands for no other row.
    const group = alike.get(`${found.registered} ${found.current}`);
    if (group) group.count--;
  }
  const unnamed = [...contents].filter(([index]) => !rows[index]?.trackingId);
  const matched = matchRows(
    unnamed.map(([, content]) => content),
    [...alike.values()],
  );
  for (const [place, [index]] of unnamed.entries())
    if (matched[place]) reasons[index] = 'A package with this content is there already';
  return repeatedReferences(rows, reasons);
}

/**
 * Which rows stand for packages that are there; no package stands for two rows. What the packages were registered with counts first: the
 * same file again finds each of its own, whatever was changed in them meanwhile. What is left goes by what they say now.
 */
export function matchRows(rows: readonly string[], packages: readonly Alike[]): boolean[] {
  const left = packages.map((group) => ({ ...group }));
  const matched = rows.map(() => false);
  for (const by of ['registered', 'current'] as const) {
    const groups = new Map<string, Alike[]>();
    // Those that have not changed first: the others may still be needed for what they say now.
    for (const group of left.toSorted((a, b) => Number(isUnchanged(b)) - Number(isUnchanged(a))))
      groups.set(group[by], [...(groups.get(group[by]) ?? []), group]);
    for (const [index, content] of rows.entries()) {
      const group = matched[index] ? undefined : groups.get(content)?.find(({ count }) => count > 0);
      if (!group) continue;
      group.count--;
      matched[index] = true;
    }
  }
  return matched;
}

const isUnchanged = ({ registered, current }: Alike) => registered === current;

async function findReferences(db: Queryable, ownerId: string, rows: readonly (CreatePackageInput | null)[]) {
  const references = rows.flatMap((input) => input?.reference ?? []);
  const taken = references.length > 0 ? await takenReferences(db, ownerId, references) : new Set<string>();
  return rows.flatMap((input, index): [number, string][] =>
    input?.reference != null && taken.has(input.reference) ? [[index, referenceIsThere(input.reference)]] : [],
  );
}

export const referenceIsThere = (reference: string) => `Reference ${reference} is there already`;

async function findTrackingIds(
  db: Queryable,
  ownerId: string,
  rows: readonly (CreatePackageInput | null)[],
  contents: ReadonlyMap<number, string>,
): Promise<[number, Alike][]> {
  const asked = [...contents].filter(([index]) => rows[index]?.trackingId);
  const found = new Map<string, Alike>();
  for (let from = 0; from < asked.length; from += rowsAtOnce) {
    const ids = asked.slice(from, from + rowsAtOnce).map(([index]) => rows[index]?.trackingId ?? '');
    for (const { tracking_id: id, ...alike } of await findByTrackingId(db, ownerId, ids)) found.set(id, alike);
  }
  return asked.flatMap(([index, content]): [number, Alike][] => {
    const alike = found.get(rows[index]?.trackingId ?? '');
    return alike && (alike.registered === content || alike.current === content) ? [[index, alike]] : [];
  });
}

/** Of rows with one reference in a file the first is created. */
function repeatedReferences(rows: readonly (CreatePackageInput | null)[], reasons: (string | null)[]) {
  const seen = new Set<string>();
  for (const [index, input] of rows.entries()) {
    if (input?.reference == null || reasons[index] !== null) continue;
    if (seen.has(input.reference)) reasons[index] = `Reference ${input.reference} is in this file already`;
    seen.add(input.reference);
  }
  return reasons;
}
