import { unavailable } from '../errors.ts';
import type { Storage, StoredFile } from './storage.ts';

/** How long a file that was not there is taken for missing without asking the store. */
const missingMs = 5000;
const maxMissing = 10_000;

/** After so many failures one after the other the store is left alone, and then asked by one request alone. */
const maxFailures = 3;
const restMs = 5000;

export interface CarefulReads {
  get: Storage['get'];
  /** The file is there from now on. */
  stored(path: string): void;
}

/** Reads from a store on the network: neither names that do not exist nor a store that hangs can be used to hold up many requests. */
export function readCarefully(get: Storage['get'], now = () => performance.now()): CarefulReads {
  const missing = new Map<string, number>();
  let failures = 0;
  let askAgainAt = 0;
  const remember = (path: string) => {
    // Uploads get there without us, and are claimed at once.
    if (path.startsWith('incoming/')) return;
    if (missing.size >= maxMissing) missing.clear();
    missing.set(path, now() + missingMs);
  };
  return {
    async get(path): Promise<StoredFile | null> {
      if ((missing.get(path) ?? 0) > now()) return null;
      if (failures >= maxFailures) {
        if (now() < askAgainAt) throw unavailable(Math.ceil(restMs / 1000));
        askAgainAt = now() + restMs;
      }
      try {
        const file = await get(path);
        failures = 0;
        if (!file) remember(path);
        return file;
      } catch (error) {
        if (++failures === maxFailures) askAgainAt = now() + restMs;
        throw error;
      }
    },
    stored: (path) => void missing.delete(path),
  };
}
