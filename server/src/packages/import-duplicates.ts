import type { CreatePackageInput } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { asContent } from './content.ts';
import { findByContent, findByTrackingId, hashContents, type ContentGroup } from './import-queries.ts';
import { rowsPerBatch } from './import-rows.ts';
import { takenReferences } from './queries.ts';

/** What the packages that exist already say about the rows. */
interface Lookup {
  /** For each row why it is skipped, or null. */
  reasons: (string | null)[];
  /** The content hash of each valid row without a reference, by its index. */
  contents: Map<number, string>;
  groups: Map<string, ContentGroup>;
}

/**
 * Detects duplicates: returns the rows, and for each of them why it is skipped because its package exists already, or null.
 *
 * A row with a reference is matched by that alone; a row with a tracking ID by that and its content; any other row by its content, the
 * n-th equal row to the n-th such package. Cancelled and deleted packages do not count.
 * @param batches looked up one after another, each while the next one is read
 */
export async function findDuplicates<Row extends { input: CreatePackageInput | null }>(
  db: Queryable,
  ownerId: string,
  batches: AsyncIterable<Row[]>,
): Promise<{ rows: Row[]; reasons: (string | null)[] }> {
  const rows: Row[] = [];
  const inputs: (CreatePackageInput | null)[] = [];
  const found: Lookup = { reasons: [], contents: new Map(), groups: new Map() };
  let lookup: Promise<void> | null = null;
  for await (const batch of batches) {
    await lookup;
    const given = batch.map(({ input }) => input);
    lookup = lookUp(db, ownerId, given, inputs.length, found);
    // Its error is thrown where it is awaited.
    lookup.catch(() => {});
    rows.push(...batch);
    inputs.push(...given);
  }
  await lookup;
  return { rows, reasons: await matchFound(db, ownerId, inputs, found) };
}

/** Looks up the references and contents of a batch, whose first row has the index `from`. */
async function lookUp(
  db: Queryable,
  ownerId: string,
  batch: readonly (CreatePackageInput | null)[],
  from: number,
  { reasons, contents, groups }: Lookup,
): Promise<void> {
  for (const index of batch.keys()) reasons[from + index] = null;
  for (const [index, reason] of await findReferences(db, ownerId, batch)) reasons[from + index] = reason;
  const others = batch.flatMap((input, index) => (input && input.reference == null ? [{ input, index }] : []));
  if (others.length === 0) return;
  const hashes = await hashContents(
    db,
    others.map(({ input }) => asContent(input, [])),
  );
  for (const [position, { index }] of others.entries()) contents.set(from + index, hashes[position] ?? '');
  for (const group of await findByContent(db, ownerId, [...new Set(hashes)])) groups.set(keyOf(group), group);
}

async function matchFound(
  db: Queryable,
  ownerId: string,
  rows: readonly (CreatePackageInput | null)[],
  { reasons, contents, groups }: Lookup,
): Promise<(string | null)[]> {
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
  for (let from = 0; from < withId.length; from += rowsPerBatch) {
    const ids = withId.slice(from, from + rowsPerBatch).map(([index]) => rows[index]?.trackingId ?? '');
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
