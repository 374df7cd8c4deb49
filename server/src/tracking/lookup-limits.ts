import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { tooManyRequests, type Limits } from '../platform/load/rate-limits.ts';

/**
 * Limits on the search for tracking IDs by guessing. Only misses count, and only those of well-formed IDs: an address may miss so often,
 * and after that sees nothing but what it has seen before; all addresses together may miss so often, and while they have, those that
 * have found nothing yet and are not signed in wait for a moment and are then refused, before anything is looked up: a refusal after
 * the lookup would tell a miss from a hit. What an address has seen it goes on seeing.
 * All of it is kept in the memory of one process: a read writes nothing.
 */
export interface LookupLimits {
  /** Looks a well-formed ID up, or @throws too_many_requests. */
  look(
    address: string,
    trackingId: string,
    isSignedIn: () => Promise<boolean>,
    find: () => Promise<string | null>,
  ): Promise<string | null>;
}

/** Pairs of address and ID: some 20 MB at most. */
const maxSeen = 100_000;
const maxAddresses = 50_000;
/** An address that has found something is trusted that long. */
const knownForMs = 24 * 3_600_000;
/** How long, and how many, wait for the next second's misses. They hold places of the lookups' load class, so they are few. */
const waitAtMostMs = 2000;
const waitingAtMost = 40;

/** Misses within one window of time. */
interface Budget {
  misses: number;
  endsAt: number;
}

const openBudget = (): Budget => ({ misses: 0, endsAt: 0 });

export function openLookupLimits(limits: Limits<'trackMiss' | 'trackMissInAll'> | null, workers: number): LookupLimits {
  if (!limits) return { look: (_address, _trackingId, _isSignedIn, find) => find() };
  const perAddress = share(limits.trackMiss, workers);
  const inAll = share(limits.trackMissInAll, workers);
  const seen = new LRUCache<string, true>({ max: maxSeen });
  const known = new LRUCache<string, true>({ max: maxAddresses, ttl: knownForMs });
  const budgets = new LRUCache<string, Budget>({ max: maxAddresses });
  const common = openBudget();
  /** Addresses of which one lookup waits for the next window. */
  const waiting = new Set<string>();

  /** @returns whether the address may go on although all together have missed too often */
  const admit = async (address: string, own: Budget, isSignedIn: () => Promise<boolean>): Promise<boolean> => {
    if (isSpent(own, perAddress)) throw tooManyRequests(msLeft(own));
    if (known.get(address)) return true;
    if (!isSpent(common, inAll)) return false;
    if (await isSignedIn().catch(() => false)) return true;
    while (isSpent(common, inAll)) {
      const inMs = msLeft(common);
      if (inMs > waitAtMostMs || waiting.size >= waitingAtMost || waiting.has(address)) throw tooManyRequests(inMs);
      waiting.add(address);
      await sleep(inMs + 1);
      waiting.delete(address);
    }
    return false;
  };

  return {
    async look(address, trackingId, isSignedIn, find) {
      const pair = `${address} ${trackingId}`;
      if (seen.get(pair)) {
        const view = await find();
        if (view === null) seen.delete(pair);
        return view;
      }
      const own = budgets.get(address) ?? openBudget();
      budgets.set(address, own);
      let isTrusted = await admit(address, own, isSignedIn);
      const view = await find();
      // Others may have missed meanwhile: of a thousand lookups at once no more are answered than one after the other, hit or miss.
      // Nothing is waited for between this and the counting.
      while (isSpent(own, perAddress) || (!isTrusted && isSpent(common, inAll)))
        isTrusted = await admit(address, own, isSignedIn);
      if (view !== null) {
        seen.set(pair, true);
        known.set(address, true);
        return view;
      }
      countMiss(own, perAddress);
      countMiss(common, inAll);
      return null;
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

const msLeft = ({ endsAt }: Budget): number => endsAt - performance.now();

const isSpent = (budget: Budget, { points }: Allowance): boolean => budget.misses >= points && msLeft(budget) > 0;

function countMiss(budget: Budget, { ms }: Allowance): void {
  if (msLeft(budget) <= 0) {
    budget.misses = 0;
    budget.endsAt = performance.now() + ms;
  }
  budget.misses++;
}
