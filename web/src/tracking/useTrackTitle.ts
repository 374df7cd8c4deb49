import { fill } from '@waybill/contract';
import { useNow } from '../platform/clock.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { texts } from '../platform/texts.ts';
import { titleOf } from './title.ts';
import type { Lookup } from './lookup.ts';

export function useTrackTitle(id: string | undefined, lookup: Lookup): void {
  const now = useNow();
  const named = id ? fill(texts.track.titleOf, { id: id.toUpperCase() }) : texts.track.title;
  usePageTitle(lookup.state === 'found' ? titleOf(lookup.view, { now: now === null ? null : new Date(now) }) : named);
}
