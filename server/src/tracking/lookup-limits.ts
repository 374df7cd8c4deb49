import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { tooManyRequests, type Limits } from '../platform/load/rate-limits.ts';
import { openSeenPairs } from './seen-pairs.ts';

/**
 * Limits on guessing (enumerating) tracking IDs. Only misses of well-formed IDs count, in fixed windows, against two budgets: one per
 * address and one for all addresses together. An address that has spent its own can only look up IDs that it has found before. While the
 * common budget is spent, untrusted addresses, which have found nothing yet and are not signed in, wait for the next window for up to 2 s
 * and are then refused. The refusal comes before the lookup: after it, it would tell a miss from a hit.
 * All state is in the memory of one process, so that lookups write nothing.
 */
export interface LookupLimits {
  /** Looks a well-formed ID up with `find`. @throws too_many_requests */
  lookUp(
    address: string,
    trackingId: string,
    isSignedIn: () => Promise<boolean>,
    find: () => Promise<string | null>,
  ): Promise<string | null>;
}

/** Pairs of address and ID that are remembered: 1 MB. */
const maxSeen = 1 << 17;
const maxAddresses = 50_000;
/** As a sum of sizes: for `max`, 1.6 MB would be taken at once. */
const bounded = { maxSize: maxAddresses, sizeCalculation: () => 1 };
/** How long an address is trusted after it has found a package. */
const trustedForMs = 24 * 3_600_000;
/** Finding more prolongs that, if it was not prolonged for this long. */
const prolongedAfterMs = 60_000;
/** Maximum time and number of lookups waiting for the next window. They hold slots of their load-shedding class, so they must be few. */
const maxWaitMs = 2000;
const maxWaiting = 40;

/** The misses of one window. */
interface Budget {
  misses: number;
  endsAt: number;
}

const createBudget = (): Budget => ({ misses: 0, endsAt: 0 });

export function openLookupLimits(limits: Limits<'trackMiss' | 'trackMissInAll'> | null, workers: number): LookupLimits {
  if (!limits) return { lookUp: (_address, _trackingId, _isSignedIn, find) => find() };
  const ownAllowance = perWorker(limits.trackMiss, workers);
  const commonAllowance = perWorker(limits.trackMissInAll, workers);
  const seen = openSeenPairs(maxSeen);
  /** The time when each found something. The cache could end the trust itself, but it would start a timer every millisecond. */
  const trusted = new LRUCache<string, number>(bounded);
  const budgets = new LRUCache<string, Budget>(bounded);
  const common = createBudget();
  /** Addresses with a lookup that waits for the next window: one per address. */
  const waiting = new Set<string>();

  const isTrusted = (address: string): boolean => {
    const since = trusted.peek(address);
    return since !== undefined && performance.now() - since < trustedForMs;
  };
  /**
   * In the order of what it costs: mostly no budget is spent, and nothing else is looked at.
   * @param isExempt from the common budget
   * @returns false if it has to wait for the common budget. @throws too_many_requests
   */
  const mayAnswer = (address: string, trackingId: string, isExempt: boolean): boolean => {
    const own = budgets.get(address);
    const isOwnSpent = own !== undefined && isSpent(own, ownAllowance);
    if (!isOwnSpent && (isExempt || !isSpent(common, commonAllowance))) return true;
    if (seen.has(address, trackingId)) return true;
    if (isOwnSpent) throw tooManyRequests(msLeft(own));
    return isTrusted(address);
  };
  /** While the common budget is spent. @returns whether the caller is exempt from it @throws too_many_requests */
  const waitForBudget = async (address: string, isSignedIn: () => Promise<boolean>): Promise<boolean> => {
    if (await isSignedIn().catch(() => false)) return true;
    while (isSpent(common, commonAllowance)) {
      const delayMs = msLeft(common);
      if (delayMs > maxWaitMs || waiting.size >= maxWaiting || waiting.has(address)) throw tooManyRequests(delayMs);
      waiting.add(address);
      await sleep(delayMs + 1);
      waiting.delete(address);
    }
    return false;
  };
  const remember = (address: string, trackingId: string) => {
    seen.add(address, trackingId);
    const now = performance.now();
    const since = trusted.peek(address);
    if (since === undefined || now - since > prolongedAfterMs) trusted.set(address, now);
  };
  const countMissOf = (address: string) => {
    let own = budgets.get(address);
    if (!own) budgets.set(address, (own = createBudget()));
    countMiss(own, ownAllowance);
    countMiss(common, commonAllowance);
  };

  return {
    async lookUp(address, trackingId, isSignedIn, find) {
      let isExempt = false;
      if (!mayAnswer(address, trackingId, isExempt)) isExempt = await waitForBudget(address, isSignedIn);
      const view = await find();
      // Check again, because concurrent lookups may have missed meanwhile: a thousand at once must get no more answers, hits or misses,
      // than one after the other. There is no await between this check and the counting.
      while (!mayAnswer(address, trackingId, isExempt)) isExempt = await waitForBudget(address, isSignedIn);
      if (view !== null) remember(address, trackingId);
      // A package that was found before and is gone is no guess.
      else if (!seen.delete(address, trackingId)) countMissOf(address);
      return view;
    },
  };
}

interface Allowance {
  points: number;
  ms: number;
}

const perWorker = ({ points, duration }: { points: number; duration: number }, workers: number): Allowance => ({
  points: Math.ceil(points / workers),
  ms: duration * 1000,
});

const msLeft = ({ endsAt }: Budget): number => endsAt - performance.now();

const isSpent = (budget: Budget, { points }: Allowance): boolean => budget.misses >= points && msLeft(budget) > 0;

function countMiss(budget: Budget, { ms }: Allowance): void {
  if (msLeft(budget) <= 0) {
    budget.misses = 0;
    budget.endsAt = performance.now() + ms;
  }
  budget.misses++;
}
