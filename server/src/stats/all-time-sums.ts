import type { Queryable } from '../platform/database/db.ts';
import { addUp, sumAllTime, sumPast, sumSince, type PastSums, type Sums } from './queries.ts';

/**
 * The sums of all time, exact at the moment they are read. Each process caches the part that lies more than two days back, per zone:
 * summing every quarter of an hour of several years takes longer with each of them.
 */
export interface AllTimeSumsCache {
  read(db: Queryable, zone: string): Promise<Sums>;
  /** After the database turned out to be another one. */
  clear(): void;
}

/** Bounds how many buckets lie between the cached part and now. It is not what keeps the sums right: their version does. */
const ttlMs = 600_000;

/** Callers choose the zone, and its letters' case counts as part of the key. */
const maxZones = 100;

export function openAllTimeSums(): AllTimeSumsCache {
  const cache = new Map<string, { past: PastSums; readAt: number }>();

  async function readPast(db: Queryable, zone: string): Promise<PastSums> {
    const cached = cache.get(zone);
    if (cached && performance.now() - cached.readAt < ttlMs) return cached.past;
    const readAt = performance.now();
    const past = await sumPast(db, zone);
    cache.delete(zone);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= maxZones) cache.delete(oldest);
    cache.set(zone, { past, readAt });
    return past;
  }

  return {
    async read(db, zone) {
      const past = await readPast(db, zone);
      const since = await sumSince(db, zone, past.before);
      // The past is the same in both snapshots, so the sum is that of the second one.
      if (since.version !== null && since.version === past.version) return addUp([past, since]);
      cache.delete(zone);
      return sumAllTime(db, zone);
    },
    clear: () => cache.clear(),
  };
}
