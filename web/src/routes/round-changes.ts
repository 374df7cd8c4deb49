import type { Route } from '@waybill/contract';
import { useEffect } from 'react';
import { localStorageItem } from '../platform/local-storage.ts';
import { createStore, useStore } from '../platform/store.ts';
import { openStops } from './rounds.ts';
import { signal } from './signal.ts';

/** What came to a round on the road, or was taken off it, until the driver has taken note. Ids of packages. */
interface Changes {
  routeId: string;
  /** All that the driver was told of. */
  known: readonly string[];
  added: readonly string[];
  removed: readonly string[];
}

const stored = localStorageItem('roundChanges');
const changes = createStore<Changes | null>(read(), null);
/** Addresses of stops, for those that are taken off. Never stored: whoever has lost a stop has no right to its address. */
const names = new Map<string, string>();

function read(): Changes | null {
  try {
    const value = JSON.parse(stored.read() ?? 'null') as Changes | null;
    return value && [value.known, value.added, value.removed].every(Array.isArray) ? value : null;
  } catch {
    return null;
  }
}

function write(next: Changes | null): void {
  changes.set(next);
  stored.write(next && JSON.stringify(next));
}

/** What is new on a round after this state of it. */
function compare(route: Route, before: Changes | null): Changes {
  const ids = route.stops.map(({ packageId }) => packageId);
  if (before?.routeId !== route.id) return { routeId: route.id, known: ids, added: [], removed: [] };
  const [known, present] = [new Set(before.known), new Set(ids)];
  const added = openStops(route).flatMap(({ packageId }) => (known.has(packageId) ? [] : packageId));
  const removed = before.known.filter((id) => !present.has(id));
  return {
    routeId: route.id,
    known: ids,
    added: [...before.added.filter((id) => present.has(id)), ...added],
    removed: [...before.removed.filter((id) => !present.has(id)), ...removed],
  };
}

/** Watches a started round: tells by sound and vibration what is new and what was taken off. Also what happened while the page was closed. */
export function useRoundChanges(route: Route | null): void {
  useEffect(() => {
    if (!route) return;
    const before = changes.get();
    const next = compare(route, before);
    for (const { packageId, delivery } of route.stops) names.set(packageId, nameOf(delivery));
    if (JSON.stringify(next) === JSON.stringify(before)) return;
    write(next);
    if (before?.routeId !== route.id) return;
    if (next.added.length > before.added.length) signal('added');
    else if (next.removed.length > before.removed.length) signal('removed');
  }, [route]);
}

const nameOf = ({ recipientAddress, packageName }: Route['stops'][number]['delivery']): string =>
  (recipientAddress ?? packageName).split(', ')[0] ?? packageName;

/** The stops that came and went, and are not noted yet. `name` is null after a reload. */
export function useOpenChanges(route: Route): { added: string[]; removed: { id: string; name: string | null }[] } {
  const all = useStore(changes);
  if (all?.routeId !== route.id) return { added: [], removed: [] };
  return { added: [...all.added], removed: all.removed.map((id) => ({ id, name: names.get(id) ?? null })) };
}

/** The driver has taken note. */
export function noteChanges(): void {
  const all = changes.get();
  if (all) write({ ...all, added: [], removed: [] });
}
