import { isDeepStrictEqual } from 'node:util';
import type { PackageContent } from '@waybill/contract';
import type { Content } from './content.ts';

/** Field -> old and new value, in the contract's names and shapes. For images only their number. */
export type ContentChanges = Partial<Record<PackageContent, { from: unknown; to: unknown }>>;

const historyValue = (content: Content, field: PackageContent): unknown =>
  field === 'images' ? content.images.length : content[field];

/** Compares two versions of a package's content. */
export function changesOf(before: Content, after: Content): ContentChanges {
  const changes: ContentChanges = {};
  for (const field of Object.keys(after) as PackageContent[]) {
    if (!isDeepStrictEqual(before[field], after[field]))
      changes[field] = { from: historyValue(before, field), to: historyValue(after, field) };
  }
  return changes;
}
