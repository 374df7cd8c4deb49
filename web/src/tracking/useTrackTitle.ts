import { useNow } from '../platform/clock.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { titleOf } from './arrival.ts';
import type { Lookup } from './lookup.ts';

export function useTrackTitle(id: string | undefined, lookup: Lookup): void {
  const now = useNow();
  const named = id ? `Track ${id.toUpperCase()}` : 'Track Your Package';
  usePageTitle(lookup.state === 'found' ? titleOf(lookup.view, { now: now === null ? null : new Date(now) }) : named);
}
