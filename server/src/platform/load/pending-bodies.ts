import { count } from './concurrency-limit.ts';

interface PendingBody {
  /** Who sends it: an account or a network address. */
  caller: string;
  network: string;
  /** As announced, or the maximum of its kind. */
  bytes: number;
  /** Called on eviction: answers the request. */
  reject(): void;
}

export interface PendingBodies {
  /** Counts a body as pending. @returns a function to call when it has arrived or is given up */
  add(body: PendingBody): () => void;
  count(): number;
}

interface Bounds {
  /** Sum of all pending bodies. */
  bytes: number;
  /** Bodies per account, or per network address without a session. */
  perAccount: number;
  /** Bodies per network address, whoever is signed in. */
  perAddress: number;
}

/** Counted at least for each body: a connection costs memory even if it announces a tiny body. */
const minBytes = 8 * 1024;

/**
 * Bounds the request bodies that are still arriving. Past a bound, the oldest body of the caller with the most pending bytes is evicted:
 * an honest body arrives within milliseconds, long before it is the oldest, so the evicted one is a body that never arrives.
 */
export function openPendingBodies(bounds: Bounds): PendingBodies {
  const pending = new Set<PendingBody>();
  const perCaller = new Map<string, number>();
  const perNetwork = new Map<string, number>();
  let bytes = 0;

  const remove = (body: PendingBody) => {
    if (!pending.delete(body)) return;
    bytes -= body.bytes;
    count(perCaller, body.caller, -1);
    count(perNetwork, body.network, -1);
  };

  /** Among the matching bodies, the oldest one of the caller with the most pending bytes. */
  const oldestOfLargestCaller = (matches: (body: PendingBody) => boolean): PendingBody | undefined => {
    const candidates = [...pending].filter(matches);
    const sums = new Map<string, number>();
    for (const body of candidates) sums.set(body.caller, (sums.get(body.caller) ?? 0) + body.bytes);
    const most = Math.max(...sums.values());
    return candidates.find(({ caller }) => sums.get(caller) === most);
  };

  const evict = (matches: (body: PendingBody) => boolean) => {
    const victim = oldestOfLargestCaller(matches);
    if (!victim) return;
    remove(victim);
    victim.reject();
  };

  return {
    add(announced) {
      const body = { ...announced, bytes: Math.max(minBytes, announced.bytes) };
      const { caller, network } = body;
      if ((perCaller.get(caller) ?? 0) >= bounds.perAccount) evict((other) => other.caller === caller);
      if ((perNetwork.get(network) ?? 0) >= bounds.perAddress) evict((other) => other.network === network);
      while (bytes + body.bytes > bounds.bytes && pending.size > 0) evict(() => true);
      pending.add(body);
      bytes += body.bytes;
      count(perCaller, caller, 1);
      count(perNetwork, network, 1);
      return () => remove(body);
    },
    count: () => pending.size,
  };
}
