import { unavailable } from '../errors.ts';
import type { Storage, StoredFile } from './storage.ts';

/** Negative cache: how long a missing file counts as missing without a request to the store. */
const missTtlMs = 5000;
const maxMisses = 10_000;

/** Circuit breaker: opens after this many failures in a row. Then one request per `openMs` probes the store, until one succeeds. */
const maxFailures = 3;
const openMs = 5000;

export interface GuardedReads {
  get: Storage['get'];
  /** Removes a path from the negative cache: this process has just stored it. */
  stored(path: string): void;
}

/**
 * Reads from a remote store behind a negative cache and a circuit breaker, so that neither requests for missing files nor a store that hangs
 * can tie up many requests.
 *
 * @param now monotonic clock in ms
 */
export function guardReads(get: Storage['get'], now = () => performance.now()): GuardedReads {
  const expiryOfMisses = new Map<string, number>();
  let failures = 0;
  let retryAt = 0;
  const cacheMiss = (path: string) => {
    // Direct uploads reach the store without this process, and are read right afterwards: never cache those as missing.
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
