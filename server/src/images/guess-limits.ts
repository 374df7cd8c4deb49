import { LRUCache } from 'lru-cache';
import { networkOf } from '../platform/origin/addresses.ts';
import { tooManyRequests, type Limits } from '../platform/load/rate-limits.ts';

/** Bounds the memory use. As a sum of sizes: for `max`, 1.6 MB would be taken at once. */
const bounded = { maxSize: 50_000, sizeCalculation: () => 1 };

/**
 * Rate limit against guessing the names of public images, which are not 128-bit secrets: an address with too many misses gets no
 * unsigned images for the rest of the window. Counted in the memory of each process, so the limit is divided by the number of workers.
 */
export interface MissLimit {
  /** @throws too_many_requests */
  enforce(address: string): void;
  countMiss(address: string): void;
}

export function createMissLimit(limits: Limits<'pictureMiss'> | null, workers: number): MissLimit {
  if (!limits) return { enforce: () => {}, countMiss: () => {} };
  const { points, duration } = limits.pictureMiss;
  const maxMisses = Math.ceil(points / workers);
  const misses = new LRUCache<string, number>({ ...bounded, ttl: duration * 1000, noUpdateTTL: true });
  return {
    enforce(address) {
      const network = networkOf(address);
      if ((misses.get(network) ?? 0) >= maxMisses) throw tooManyRequests(misses.getRemainingTTL(network));
    },
    countMiss(address) {
      const network = networkOf(address);
      misses.set(network, (misses.get(network) ?? 0) + 1);
    },
  };
}
