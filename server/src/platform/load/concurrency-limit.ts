import type { ConcurrencyBounds } from './load-classes.ts';

/** A request in a load class. */
export interface LimitedRequest {
  /** Whose share it counts against: an account or a network address; '' in a class without shares. */
  caller: string;
  isSignedIn: boolean;
  /** Called once the request may run: at once, or when it leaves the queue. */
  start(): void;
}

export interface ConcurrencyLimit {
  /** @returns false if all slots are in use, or the caller has used up its share */
  acquire(request: LimitedRequest): boolean;
  release(request: LimitedRequest): void;
  /** Requests in flight: running and queued. */
  size(): number;
}

/** Limits one load class: requests in flight in all and per caller and, where set, how many of them run at a time. */
export function createConcurrencyLimit({
  slots,
  perAccount,
  perAddress,
  running,
  runningPerAccount,
}: ConcurrencyBounds): ConcurrencyLimit {
  const inFlight = perAccount === undefined && perAddress === undefined ? null : new Map<string, number>();
  const queue = running === undefined ? null : createFairQueue(running, runningPerAccount ?? running);
  let size = 0;
  return {
    acquire(request) {
      const share = request.isSignedIn ? perAccount : perAddress;
      if (size >= slots || (share !== undefined && (inFlight?.get(request.caller) ?? 0) >= share)) return false;
      size++;
      if (inFlight) count(inFlight, request.caller, 1);
      if (queue) queue.add(request);
      else request.start();
      return true;
    },
    release(request) {
      size--;
      if (inFlight) count(inFlight, request.caller, -1);
      queue?.remove(request);
    },
    size: () => size,
  };
}

/** First in, first out, but skips requests whose caller already has its share running. */
function createFairQueue(maxRunning: number, maxRunningPerCaller: number) {
  const waiting = new Set<LimitedRequest>();
  const running = new Set<LimitedRequest>();
  const runningPerCaller = new Map<string, number>();
  const startNext = () => {
    for (const request of waiting) {
      if (running.size >= maxRunning) return;
      if ((runningPerCaller.get(request.caller) ?? 0) >= maxRunningPerCaller) continue;
      waiting.delete(request);
      running.add(request);
      count(runningPerCaller, request.caller, 1);
      request.start();
    }
  };
  return {
    add(request: LimitedRequest) {
      waiting.add(request);
      startNext();
    },
    remove(request: LimitedRequest) {
      waiting.delete(request);
      if (!running.delete(request)) return;
      count(runningPerCaller, request.caller, -1);
      startNext();
    },
  };
}

/** Increments or decrements a counter, and deletes it at 0 so that the map does not grow. */
export function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}
