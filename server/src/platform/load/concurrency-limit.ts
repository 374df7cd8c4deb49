import type { ConcurrencyBounds } from './load-classes.ts';

/** A request in a class. */
export interface LimitedRequest {
  /** Whose share it counts for: an account or a network address; '' in a class without shares. */
  party: string;
  isSignedIn: boolean;
  /** Called at once when it is let in, or when its turn has come. */
  start(): void;
}

export interface ConcurrencyLimit {
  /** Lets it in, or not: there is no room left, or its party has its share. */
  acquire(occupant: LimitedRequest): boolean;
  release(occupant: LimitedRequest): void;
  size(): number;
}

/** Room for one class of requests: so many in all, so many of each party, and so many of these at work at a time. */
export function createConcurrencyLimit({
  room,
  each,
  eachAddress,
  running,
  runningEach,
}: ConcurrencyBounds): ConcurrencyLimit {
  const held = each === undefined && eachAddress === undefined ? null : new Map<string, number>();
  const turns = running === undefined ? null : createFairQueue(running, runningEach ?? running);
  let size = 0;
  return {
    acquire(occupant) {
      const share = occupant.isSignedIn ? each : eachAddress;
      if (size >= room || (share !== undefined && (held?.get(occupant.party) ?? 0) >= share)) return false;
      size++;
      if (held) count(held, occupant.party, 1);
      if (turns) turns.wait(occupant);
      else occupant.start();
      return true;
    },
    release(occupant) {
      size--;
      if (held) count(held, occupant.party, -1);
      turns?.end(occupant);
    },
    size: () => size,
  };
}

/** First come, first served, but for those whose party is at work with its share already. */
function createFairQueue(running: number, runningEach: number) {
  const waiting = new Set<LimitedRequest>();
  const working = new Set<LimitedRequest>();
  const workingOf = new Map<string, number>();
  const startNext = () => {
    for (const occupant of waiting) {
      if (working.size >= running) return;
      if ((workingOf.get(occupant.party) ?? 0) >= runningEach) continue;
      waiting.delete(occupant);
      working.add(occupant);
      count(workingOf, occupant.party, 1);
      occupant.start();
    }
  };
  return {
    wait(occupant: LimitedRequest) {
      waiting.add(occupant);
      startNext();
    },
    end(occupant: LimitedRequest) {
      waiting.delete(occupant);
      if (!working.delete(occupant)) return;
      count(workingOf, occupant.party, -1);
      startNext();
    },
  };
}

/** Counts up or down; what is not there takes no memory. */
export function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}
