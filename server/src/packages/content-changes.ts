import { isDeepStrictEqual } from 'node:util';
import type { PackageContent } from '@waybill/contract';
import type { Content } from './content.ts';

/** Field -> what it was and became, in the names and shapes of the contract; of pictures how many. */
export type ContentChanges = Partial<Record<PackageContent, { from: unknown; to: unknown }>>;

const told = (content: Content, field: PackageContent): unknown =>
  field === 'images' ? content.images.length : content[field];

/** What of a package an edit changes. */
export function changesOf(before: Content, after: Content): ContentChanges {
  const changes: ContentChanges = {};
  for (const field of Object.keys(after) as PackageContent[]) {
    if (!isDeepStrictEqual(before[field], after[field]))
      changes[field] = { from: told(before, field), to: told(after, field) };
  }
  return changes;
}
