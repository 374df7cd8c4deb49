import type { Delivery } from '@waybill/contract';
import { localStorageItem } from '../platform/local-storage.ts';
import { createStore, useStore } from '../platform/store.ts';

/** How far the driver is with a stop, kept on the device, over reloads. The server is told of the arrival. */
export type StopPhase = 'ahead' | 'driving' | 'here';

interface Progress {
  /** `ahead`: not there after all. */
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

const phases: readonly unknown[] = ['ahead', 'driving', 'here'] satisfies StopPhase[];

function isFresh(entry: [string, unknown]): entry is [string, Progress] {
  const { phase, at } = (entry[1] ?? {}) as Partial<Progress>;
  return phases.includes(phase) && typeof at === 'number' && Date.now() - at < keptMs;
}

/** What this device knows of a stop. */
export interface StopProgress {
  phase: StopPhase;
  /** When they arrived, if that was not said on this device. */
  seenAt: string | null;
}

/**
 * The server knows of an arrival by the position, or from another device: that counts unless something else was said here since.
 */
export function useStopProgress(stop: Pick<Delivery, 'id' | 'arrivedAt'> | undefined): StopProgress {
  const own = useStore(progress)[stop?.id ?? ''];
  const seenAt = stop?.arrivedAt ?? null;
  if (seenAt === null || own?.phase === 'here' || (own && own.at >= Date.parse(seenAt)))
    return { phase: own?.phase ?? 'ahead', seenAt: null };
  return { phase: 'here', seenAt };
}

export const setStopPhase = (id: string, phase: StopPhase): void => keep(id, { phase, at: Date.now() });

/** The stop is done. */
export const forgetStop = (id: string): void => keep(id, null);

function keep(id: string, own: Progress | null): void {
  const { [id]: _before, ...others } = read();
  const next = own ? { ...others, [id]: own } : others;
  progress.set(next);
  stored.write(Object.keys(next).length === 0 ? null : JSON.stringify(next));
}
