import { maxExportedIds, maxPackagesAtOnce } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { newIdempotencyKey } from '../platform/idempotency.ts';
import type { BulkOutcome } from '../ui/BulkReport.tsx';
import { toQuery } from './filters.ts';
import type { PackageSearch } from './search.ts';
import { refreshPackages } from './queries.ts';

/** How many packages one act takes: as many as the server lets a user change within an hour. */
export const maxPackagesPerAct = 5000;

/** Saves the labels of at most 200 packages as one file. */
export type SaveLabels = (ids: string[], signal?: AbortSignal) => Promise<unknown>;

/** What an act needs to know of a package. */
export type Picked = Pick<Package, 'id' | 'name' | 'trackingId' | 'status'>;

/** Reads all packages that match: `pickAllMatching`. */
export type PickAll = (
  onProgress: (found: number) => void,
  signal: AbortSignal,
) => Promise<{ packages: Picked[]; hasMore: boolean }>;

/**
 * All packages that match, loaded or not, up to `maxPackagesPerAct`. All ids are read before anything is changed: a cancelled package no
 * longer matches, and so the pages would shift.
 */
export async function pickAllMatching(
  ownerId: string,
  search: PackageSearch,
  onProgress: (found: number) => void,
  signal: AbortSignal,
): Promise<{ packages: Picked[]; hasMore: boolean }> {
  const packages: Picked[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.packages.listOfUser({
      params: { id: ownerId },
      query: { ...toQuery(search), limit: maxPackagesAtOnce, cursor },
      signal,
    });
    packages.push(...page.items.map(({ id, name, trackingId, status }) => ({ id, name, trackingId, status })));
    onProgress(packages.length);
    cursor = page.next ?? undefined;
  } while (cursor && packages.length < maxPackagesPerAct);
  return { packages, hasMore: cursor !== undefined };
}

/** The chosen packages as one CSV file. An address has room for 100 ids, so more take several requests. */
export async function exportChosen(ownerId: string, ids: readonly string[]): Promise<Blob> {
  const parts: string[] = [];
  for (let at = 0; at < ids.length; at += maxExportedIds) {
    const query = { ids: ids.slice(at, at + maxExportedIds).join(',') };
    const text = await (await api.packages.exportOfUser({ params: { id: ownerId }, query })).text();
    // The names of the columns are only in the first part.
    parts.push(at === 0 ? text : text.slice(text.indexOf('\n') + 1));
  }
  return new Blob(parts, { type: 'text/csv' });
}

/** Cancels or deletes packages, 200 per request. What has been done stays done when it is stopped or a request fails. */
export async function changePackages(
  action: 'cancel' | 'delete',
  packages: readonly Picked[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<BulkOutcome<Picked>> {
  const outcome: BulkOutcome<Picked> = { done: 0, refused: [], left: [], failure: null };
  const byId = new Map(packages.map((pkg) => [pkg.id, pkg]));
  let at = 0;
  try {
    for (; at < packages.length && !signal.aborted; at += maxPackagesAtOnce) {
      const batch = packages.slice(at, at + maxPackagesAtOnce);
      // Not aborted by `signal`: a batch that was sent is carried out, and its report is needed.
      const { done, refused } = await api.packages.bulk({
        body: { action, packageIds: batch.map(({ id }) => id) },
        idempotencyKey: newIdempotencyKey(),
      });
      outcome.done += done;
      for (const { packageId, message } of refused) {
        const pkg = byId.get(packageId);
        if (pkg) outcome.refused.push({ item: pkg, message });
      }
      onProgress(Math.min(at + batch.length, packages.length));
    }
  } catch (error) {
    outcome.failure = error instanceof Error && error.message ? error.message : 'Please try again.';
  }
  outcome.left = packages.slice(at);
  refreshPackages();
  return outcome;
}
