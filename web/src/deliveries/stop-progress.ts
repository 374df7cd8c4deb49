import { localStorageItem } from '../platform/local-storage.ts';
import { createStore, useStore } from '../platform/store.ts';

/** How far the driver is with a stop, kept on the device, over reloads. The server is told of the arrival. */
export type StopPhase = 'ahead' | 'driving' | 'here';

interface Progress {
  phase: StopPhase;
  /** In ms since 1970. */
  at: number;
}

/** A stop left open longer than this starts anew. */
const keptMs = 24 * 3_600_000;

const stored = localStorageItem('stops');
const progress = createStore<Readonly<Record<string, Progress>>>(read(), {});

function read(): Record<string, Progress> {
  try {
    const value: unknown = JSON.parse(stored.read() ?? '{}');
    const entries = Object.entries(typeof value === 'object' && value ? value : {}).filter(isFresh);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isFresh(entry: [string, unknown]): entry is [string, Progress] {
  const { phase, at } = (entry[1] ?? {}) as Partial<Progress>;
  return (phase === 'driving' || phase === 'here') && typeof at === 'number' && Date.now() - at < keptMs;
}

export const useStopPhase = (id: string): StopPhase => useStore(progress)[id]?.phase ?? 'ahead';

/** `ahead` forgets the stop. */
export function setStopPhase(id: string, phase: StopPhase): void {
  const { [id]: _before, ...others } = read();
  const next = phase === 'ahead' ? others : { ...others, [id]: { phase, at: Date.now() } };
  progress.set(next);
  stored.write(Object.keys(next).length === 0 ? null : JSON.stringify(next));
}
