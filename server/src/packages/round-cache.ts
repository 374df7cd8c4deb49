import { LRUCache } from 'lru-cache';
import type { Queryable } from '../platform/database/db.ts';
import { presentSnapshot, type RouteChanges } from '../events/route-changes.ts';
import { findRounds, type Round } from './rounds.ts';

/** Some 60 kB each for 75 stops, with what is computed from it. */
const maxRoutes = 300;
/** What is learned of driving times, return addresses and places of depots are this old at most. */
const maxAgeMs = 5000;

interface Known {
  readAt: number;
  /** Null while it is being read. */
  round: Round | null;
}

/**
 * The rounds that many lookups need. Each is read at most every five seconds, and again as soon as something of it has changed: whoever asks
 * for one has noted before what changed until then, so it is never older than a change that somebody has just made.
 */
export interface RoundCache {
  /** Since when whoever asks for a round has to note changes: a snapshot. Null if nothing is kept: none was read within the last seconds. */
  seen(at: Date): string | null;
  note(changes: RouteChanges): void;
  find(routeId: string, at: Date): Round | null;
  /** Finds the started ones of these routes, and reads those that it does not have. */
  read(db: Queryable, routeIds: string[], at: Date): Promise<Map<string, Round>>;
  /** After a failure, since the database may be another one. */
  forget(): void;
}

export function openRoundCache(): RoundCache {
  const known = new LRUCache<string, Known>({ max: maxRoutes });
  let seen: string | null = null;
  let readAt = -Infinity;
  const isRecent = (from: number, at: Date) => Math.abs(at.getTime() - from) < maxAgeMs;
  const find = (routeId: string, at: Date): Round | null => {
    const found = known.get(routeId);
    return found && isRecent(found.readAt, at) ? found.round : null;
  };
  const forget = () => {
    known.clear();
    seen = null;
  };
  return {
    seen(at) {
      // Nothing outlives a time without notes: the clock may be set, and the database be another one.
      if (!isRecent(readAt, at)) forget();
      return seen;
    },
    note(changes) {
      seen = changes.seen;
      for (const routeId of changes.routeIds) known.delete(routeId);
    },
    find,
    async read(db, routeIds, at) {
      const rounds = new Map<string, Round>();
      const missing = new Map<string, Known>();
      for (const routeId of new Set(routeIds)) {
        const round = find(routeId, at);
        if (round) rounds.set(routeId, round);
        else missing.set(routeId, { readAt: at.getTime(), round: null });
      }
      if (missing.size === 0) return rounds;
      seen ??= await presentSnapshot(db);
      // Before the statement: an entry that is deleted meanwhile, since its route has changed, is of no use to others.
      if (seen !== null) for (const [routeId, entry] of missing) known.set(routeId, entry);
      readAt = at.getTime();
      for (const [routeId, round] of await findRounds(db, missing.keys())) {
        rounds.set(routeId, round);
        const entry = missing.get(routeId);
        if (entry) entry.round = round;
      }
      return rounds;
    },
    forget,
  };
}
