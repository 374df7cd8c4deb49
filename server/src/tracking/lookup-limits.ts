import { LRUCache } from 'lru-cache';
import { tooManyRequests, type Limits } from '../platform/rate-limits.ts';

/**
 * Limits on the search for tracking IDs by guessing. Only misses count, and only those of well-formed IDs: an address may miss so often,
 * and after that sees nothing but what it has seen before; all addresses together may miss so often, and while they have, those that
 * have found nothing yet and are not signed in wait for a moment and are then refused, before anything is looked up: a refusal after
 * the lookup would tell a miss from a hit. What an address has seen it goes on seeing.
 * All of it is kept in the memory of one process: a read writes nothing.
 */
export interface LookupLimits {
  /**
   * Lets a lookup begin. @throws too_many_requests
   * @returns what is to be called with the outcome, also where the lookup fails (null)
   */
  admit(address: string, trackingId: string, isSignedIn: () => Promise<boolean>): Promise<Settle>;
}

export type Settle = (found: boolean | null) => void;

/** Pairs of address and ID: some 20 MB at most. */
const mostSeen = 100_000;
const mostAddresses = 50_000;
/** An address that has found something is trusted that long. */
const knownForMs = 24 * 3_600_000;
/** How long, and how many, wait for the next second's misses. They hold places of the lookups' load class, so they are few. */
const waitAtMostMs = 2000;
const waitingAtMost = 40;

/** Misses within one window of time. A lookup under way holds one until it has turned out to be a hit, so that many at once cannot be too many. */
interface Budget {
  misses: number;
  endsAt: number;
  held: number;
  waiting: (() => void)[];
  timer: NodeJS.Timeout | null;
}

const openBudget = (): Budget => ({ misses: 0, endsAt: 0, held: 0, waiting: [], timer: null });

export function openLookupLimits(limits: Limits | null, workers: number): LookupLimits {
  if (!limits) return { admit: async () => () => {} };
  const perAddress = share(limits.trackMiss, workers);
  const inAll = share(limits.trackMissInAll, workers);
  const seen = new LRUCache<string, true>({ max: mostSeen });
  const known = new LRUCache<string, true>({ max: mostAddresses, ttl: knownForMs });
  const budgets = new LRUCache<string, Budget>({ max: mostAddresses });
  const common = openBudget();
  /** Addresses of which one lookup waits for the next window. */
  const waitingAddresses = new Set<string>();

  const budgetOf = (address: string): Budget => {
    const kept = budgets.get(address);
    if (kept) return kept;
    const opened = openBudget();
    budgets.set(address, opened);
    return opened;
  };
  const holdCommon = async (address: string) => {
    while (!hold(common, inAll)) {
      const isSpent = common.misses >= inAll.points;
      const inMs = common.endsAt - performance.now();
      if (isSpent && (inMs > waitAtMostMs || waitingAddresses.size >= waitingAtMost || waitingAddresses.has(address))) {
        throw tooManyRequests(inMs);
      }
      if (isSpent) waitingAddresses.add(address);
      await change(common, isSpent ? inMs : null);
      waitingAddresses.delete(address);
    }
  };

  return {
    async admit(address, trackingId, isSignedIn) {
      const pair = `${address} ${trackingId}`;
      if (seen.get(pair)) {
        return (found) => {
          if (found === true) known.set(address, true);
          if (found === false) seen.delete(pair);
        };
      }
      const own = budgetOf(address);
      while (!hold(own, perAddress)) {
        if (own.misses >= perAddress.points) throw tooManyRequests(own.endsAt - performance.now());
        await change(own, null);
      }
      const isTrusted = known.get(address) ?? (isUsedUp(common, inAll) && (await isSignedIn().catch(() => false)));
      try {
        if (!isTrusted) await holdCommon(address);
      } catch (error) {
        letGo(own, perAddress, false);
        throw error;
      }
      return (found) => {
        if (found) {
          seen.set(pair, true);
          known.set(address, true);
        }
        letGo(own, perAddress, found === false);
        if (!isTrusted) letGo(common, inAll, found === false);
        else if (found === false) countMiss(common, inAll);
      };
    },
  };
}

interface Allowance {
  points: number;
  ms: number;
}

const share = ({ points, duration }: { points: number; duration: number }, workers: number): Allowance => ({
  points: Math.ceil(points / workers),
  ms: duration * 1000,
});

function renew(budget: Budget): void {
  if (budget.misses > 0 && performance.now() >= budget.endsAt) budget.misses = 0;
}

function isUsedUp(budget: Budget, { points }: Allowance): boolean {
  renew(budget);
  return budget.misses + budget.held >= points;
}

function hold(budget: Budget, allowance: Allowance): boolean {
  if (isUsedUp(budget, allowance)) return false;
  budget.held++;
  return true;
}

function letGo(budget: Budget, allowance: Allowance, isMiss: boolean): void {
  budget.held--;
  if (isMiss) countMiss(budget, allowance);
  else budget.waiting.shift()?.();
}

function countMiss(budget: Budget, { points, ms }: Allowance): void {
  renew(budget);
  if (++budget.misses === 1) budget.endsAt = performance.now() + ms;
  // With nothing left, whoever waits has to decide anew whether to.
  if (budget.misses >= points) wakeAll(budget);
  else budget.waiting.shift()?.();
}

function wakeAll(budget: Budget): void {
  for (const wake of budget.waiting.splice(0)) wake();
}

/** Waits until something has been given back, or until the window ends. */
async function change(budget: Budget, inMs: number | null): Promise<void> {
  if (inMs !== null) {
    budget.timer ??= setTimeout(
      () => {
        budget.timer = null;
        wakeAll(budget);
      },
      Math.max(1, inMs + 1),
    );
  }
  await new Promise<void>((resolve) => budget.waiting.push(resolve));
}
