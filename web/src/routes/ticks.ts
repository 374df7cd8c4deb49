import { localStorageItem } from '../platform/local-storage.ts';
import { createStore, useStore } from '../platform/store.ts';

/** What a driver has ticked and scanned at the depot: kept on the device, so that nothing is lost when the phone discards the page. */
export interface Ticks {
  /** Ids of packages. */
  ticked: readonly string[];
  /** Codes of packages that are not on the round. */
  foreign: readonly string[];
}

interface Stored extends Ticks {
  /** In ms since 1970. */
  at: number;
}

const keptMs = 48 * 3_600_000;
const none: Ticks = { ticked: [], foreign: [] };

const stored = localStorageItem('ticks');
const ticks = createStore<Readonly<Record<string, Stored>>>(read(), {});

function read(): Record<string, Stored> {
  try {
    const value: unknown = JSON.parse(stored.read() ?? '{}');
    return Object.fromEntries(Object.entries(typeof value === 'object' && value ? value : {}).filter(isFresh));
  } catch {
    return {};
  }
}

function isFresh(entry: [string, unknown]): entry is [string, Stored] {
  const { ticked, foreign, at } = (entry[1] ?? {}) as Partial<Stored>;
  return Array.isArray(ticked) && Array.isArray(foreign) && typeof at === 'number' && Date.now() - at < keptMs;
}

/** @param name of one count: the load or the end of one route */
export const useTicks = (name: string): Ticks => useStore(ticks)[name] ?? none;

/** @param next null forgets the count */
export function setTicks(name: string, next: Ticks | null): void {
  const { [name]: _before, ...others } = read();
  const all = next ? { ...others, [name]: { ...next, at: Date.now() } } : others;
  ticks.set(all);
  stored.write(Object.keys(all).length === 0 ? null : JSON.stringify(all));
}
