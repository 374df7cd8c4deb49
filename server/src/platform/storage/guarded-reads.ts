import { unavailable } from '../errors.ts';
import type { Storage, StoredFile } from './storage.ts';

/** How long a file that was not there is taken for missing without asking the store. */
const missTtlMs = 5000;
const maxMisses = 10_000;

/** After so many failures one after the other the store is left alone, and then asked by one request alone. */
const maxFailures = 3;
const openMs = 5000;

export interface GuardedReads {
  get: Storage['get'];
  /** The file is there from now on. */
  stored(path: string): void;
}

/** Reads from a store on the network: neither names that do not exist nor a store that hangs can be used to hold up many requests. */
export function guardReads(get: Storage['get'], now = () => performance.now()): GuardedReads {
  const expiryOfMisses = new Map<string, number>();
  let failures = 0;
  let retryAt = 0;
  const cacheMiss = (path: string) => {
    // Uploads get there without us, and are claimed at once.
    if (path.startsWith('incoming/')) return;
    if (expiryOfMisses.size >= maxMisses) expiryOfMisses.clear();
    expiryOfMisses.set(path, now() + missTtlMs);
  };
  return {
    async get(path): Promise<StoredFile | null> {
      if ((expiryOfMisses.get(path) ?? 0) > now()) return null;
      if (failures >= maxFailures) {
        if (now() < retryAt) throw unavailable(Math.ceil(openMs / 1000));
        retryAt = now() + openMs;
      }
      try {
        const file = await get(path);
        failures = 0;
        if (!file) cacheMiss(path);
        return file;
      } catch (error) {
        if (++failures === maxFailures) retryAt = now() + openMs;
        throw error;
      }
    },
    stored: (path) => void expiryOfMisses.delete(path),
  };
}
