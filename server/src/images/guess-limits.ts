import { LRUCache } from 'lru-cache';
import { networkOf } from '../platform/origin/addresses.ts';
import { tooManyRequests, type Limits } from '../platform/load/rate-limits.ts';

/** Bounds what is kept in memory. */
const maxAddresses = 50_000;

/**
 * Against guessing the names of public pictures, which are no secrets of 128 bits: an address that asked for too many that are not
 * there sees none for the rest of the minute. In the memory of one process, so shared out among the workers.
 */
export interface Guesses {
  /** @throws too_many_requests */
  refuse(address: string): void;
  countMiss(address: string): void;
}

export function limitGuesses(limits: Limits<'pictureMiss'> | null, workers: number): Guesses {
  if (!limits) return { refuse: () => {}, countMiss: () => {} };
  const { points, duration } = limits.pictureMiss;
  const most = Math.ceil(points / workers);
  const misses = new LRUCache<string, number>({ max: maxAddresses, ttl: duration * 1000, noUpdateTTL: true });
  return {
    refuse(address) {
      const network = networkOf(address);
      if ((misses.get(network) ?? 0) >= most) throw tooManyRequests(misses.getRemainingTTL(network));
    },
    countMiss(address) {
      const network = networkOf(address);
      misses.set(network, (misses.get(network) ?? 0) + 1);
    },
  };
}
