import type { CreatePackageInput } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { asContent } from './content.ts';
import { findByContent, findByTrackingId, hashContents, type ContentGroup } from './import-queries.ts';
import { takenReferences } from './queries.ts';

/** Rows per lookup statement: each has to finish within the statement time-out of a request. */
const lookupBatchSize = 1000;

/**
 * Detects duplicates: returns for each row why it is skipped because its package exists already, or null.
 *
 * A row with a reference is matched by that alone; a row with a tracking ID by that and its content; any other row by its content, the
 * n-th equal row to the n-th such package. Cancelled and deleted packages do not count.
 */
export async function findDuplicates(
  db: Queryable,
  ownerId: string,
  rows: readonly (CreatePackageInput | null)[],
): Promise<(string | null)[]> {
  const reasons = rows.map((): string | null => null);
  const contents = new Map<number, string>();
  const groups = new Map<string, ContentGroup>();
  for (let from = 0; from < rows.length; from += lookupBatchSize) {
    const batch = rows.slice(from, from + lookupBatchSize);
    for (const [index, reason] of await findReferences(db, ownerId, batch)) reasons[from + index] = reason;
    const others = batch.flatMap((input, index) => (input && input.reference == null ? [{ input, index }] : []));
    if (others.length === 0) continue;
    const hashes = await hashContents(
      db,
      others.map(({ input }) => asContent(input, [])),
    );
    for (const [position, { index }] of others.entries()) contents.set(from + index, hashes[position] ?? '');
    for (const group of await findByContent(db, ownerId, [...new Set(hashes)])) groups.set(keyOf(group), group);
  }
  for (const [index, found] of await findTrackingIds(db, ownerId, rows, contents)) {
    reasons[index] = `${rows[index]?.trackingId ?? 'This package'} is there already`;
    // A package matches at most one row.
    const group = groups.get(keyOf(found));
    if (group) group.count--;
  }
  const withoutId = [...contents].filter(([index]) => !rows[index]?.trackingId);
  const matched = matchRows(
    withoutId.map(([, content]) => content),
    [...groups.values()],
  );
  for (const [position, [index]] of withoutId.entries())
    if (matched[position]) reasons[index] = 'A package with this content is there already';
  return markRepeatedReferences(rows, reasons);
}

const keyOf = ({ registered, current }: ContentGroup) => `${registered} ${current}`;

/**
 * Matches the content hashes of rows to existing packages; each package matches at most one row. Registered content is matched first, so
 * that the same file sent again matches all of its packages, however they were edited since. What is left is matched by current content.
 */
export function matchRows(rows: readonly string[], packages: readonly ContentGroup[]): boolean[] {
  const remaining = packages.map((group) => ({ ...group }));
  const matched = rows.map(() => false);
  for (const by of ['registered', 'current'] as const) {
    const groups = new Map<string, ContentGroup[]>();
    // Use up unedited packages first: edited ones may still be needed to match by current content.
    for (const group of remaining.toSorted((a, b) => Number(isUnchanged(b)) - Number(isUnchanged(a))))
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

const isUnchanged = ({ registered, current }: ContentGroup) => registered === current;

async function findReferences(db: Queryable, ownerId: string, rows: readonly (CreatePackageInput | null)[]) {
  const references = rows.flatMap((input) => input?.reference ?? []);
  const taken = references.length > 0 ? await takenReferences(db, ownerId, references) : new Set<string>();
  return rows.flatMap((input, index): [number, string][] =>
    input?.reference != null && taken.has(input.reference) ? [[index, referenceExists(input.reference)]] : [],
  );
}

export const referenceExists = (reference: string) => `Reference ${reference} is there already`;

async function findTrackingIds(
  db: Queryable,
  ownerId: string,
  rows: readonly (CreatePackageInput | null)[],
  contents: ReadonlyMap<number, string>,
): Promise<[number, ContentGroup][]> {
  const withId = [...contents].filter(([index]) => rows[index]?.trackingId);
  const found = new Map<string, ContentGroup>();
  for (let from = 0; from < withId.length; from += lookupBatchSize) {
    const ids = withId.slice(from, from + lookupBatchSize).map(([index]) => rows[index]?.trackingId ?? '');
    for (const { tracking_id: id, ...group } of await findByTrackingId(db, ownerId, ids)) found.set(id, group);
  }
  return withId.flatMap(([index, content]): [number, ContentGroup][] => {
    const group = found.get(rows[index]?.trackingId ?? '');
    return group && (group.registered === content || group.current === content) ? [[index, group]] : [];
  });
}

/** When several rows of a file have the same reference, only the first is created. */
function markRepeatedReferences(rows: readonly (CreatePackageInput | null)[], reasons: (string | null)[]) {
  const seen = new Set<string>();
  for (const [index, input] of rows.entries()) {
    if (input?.reference == null || reasons[index] !== null) continue;
    if (seen.has(input.reference)) reasons[index] = `Reference ${input.reference} is in this file already`;
    seen.add(input.reference);
  }
  return reasons;
}
