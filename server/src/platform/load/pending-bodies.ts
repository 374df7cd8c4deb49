import { count } from './concurrency-limit.ts';

interface Pending {
  /** Who sends it: an account, or a network address. */
  party: string;
  network: string;
  bytes: number;
  /** Turns it away. */
  cut(): void;
}

export interface PendingBodies {
  /** Lets a body be waited for; the returned function says that the wait is over. */
  add(body: Pending): () => void;
  count(): number;
}

interface Bounds {
  /** Of all bodies together, as announced. */
  bytes: number;
  /** Bodies of one account, or of one network address that nobody has signed in from. */
  each: number;
  /** Bodies from one network address, whoever is signed in. */
  eachAddress: number;
}

/** What a connection costs beside the body that it announces. */
const minBytes = 8 * 1024;

/**
 * Bodies that are on their way. Past a bound the one gives way that has been under way for longest, of whoever has most: a body
 * that comes in milliseconds is there long before its turn, one that never comes is what makes room.
 */
export function openPendingBodies(bounds: Bounds): PendingBodies {
  const pending = new Set<Pending>();
  const perParty = new Map<string, number>();
  const perNetwork = new Map<string, number>();
  let bytes = 0;

  const remove = (body: Pending) => {
    if (!pending.delete(body)) return;
    bytes -= body.bytes;
    count(perParty, body.party, -1);
    count(perNetwork, body.network, -1);
  };

  /** The oldest body of whoever has most bytes under way, among some. */
  const mostPatient = (isAmong: (body: Pending) => boolean): Pending | undefined => {
    const among = [...pending].filter(isAmong);
    const sums = new Map<string, number>();
    for (const { party, bytes: its } of among) sums.set(party, (sums.get(party) ?? 0) + its);
    const most = Math.max(...sums.values());
    return among.find(({ party }) => sums.get(party) === most);
  };

  const makeRoom = (isAmong: (body: Pending) => boolean) => {
    const victim = mostPatient(isAmong);
    if (!victim) return;
    remove(victim);
    victim.cut();
  };

  return {
    add(given) {
      const body = { ...given, bytes: Math.max(minBytes, given.bytes) };
      const { party, network } = body;
      if ((perParty.get(party) ?? 0) >= bounds.each) makeRoom((other) => other.party === party);
      if ((perNetwork.get(network) ?? 0) >= bounds.eachAddress) makeRoom((other) => other.network === network);
      while (bytes + body.bytes > bounds.bytes && pending.size > 0) makeRoom(() => true);
      pending.add(body);
      bytes += body.bytes;
      count(perParty, party, 1);
      count(perNetwork, network, 1);
      return () => remove(body);
    },
    count: () => pending.size,
  };
}
