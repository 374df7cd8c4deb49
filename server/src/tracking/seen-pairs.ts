import { randomInt } from 'node:crypto';

/** Pairs with the same set compete for these places. */
const ways = 4;

export interface SeenPairs {
  has(address: string, trackingId: string): boolean;
  add(address: string, trackingId: string): void;
  /** @returns whether it was there */
  delete(address: string, trackingId: string): boolean;
}

/**
 * Remembers pairs of address and ID, the latest of each set first, as 64-bit hashes in one array. Strings in a Map of this size
 * cost more than twice as much: they are old when they are evicted, and its table is rebuilt again and again.
 * The hash depends on a random number, so that nobody can choose pairs that collide. One lookup in 2^47 is mistaken for a
 * pair that was seen by chance: it is free.
 * @param size a power of two
 */
export function openSeenPairs(size: number): SeenPairs {
  const slots = new Uint32Array(size * 2);
  const sets = size / ways;
  const seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  let high = 0;
  let low = 0;

  /** Sets `high` and `low`. @returns where the set of the pair begins */
  const find = (address: string, trackingId: string): number => {
    [high, low] = [seeds[0], seeds[1]];
    mix(address);
    mix(trackingId);
    high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
    low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
    // Zero stands for an empty place.
    low = low >>> 0 || 1;
    high >>>= 0;
    return (high % sets) * ways * 2;
  };
  const mix = (text: string) => {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      high = Math.imul(high ^ code, 0x9e3779b1);
      low = Math.imul(low ^ code, 0x5f356495) ^ (high >>> 15);
    }
    // Between the two texts, so that their boundary counts.
    high = Math.imul(high ^ 0x1f, 0x9e3779b1);
  };
  const wayOf = (start: number): number => {
    for (let way = 0; way < ways; way++)
      if (slots[start + way * 2] === high && slots[start + way * 2 + 1] === low) return way;
    return -1;
  };
  /** Moves the pair to the front of its set; the places up to `way` move back. */
  const putFirst = (start: number, way: number) => {
    slots.copyWithin(start + 2, start, start + way * 2);
    slots[start] = high;
    slots[start + 1] = low;
  };

  return {
    has(address, trackingId) {
      const start = find(address, trackingId);
      const way = wayOf(start);
      if (way > 0) putFirst(start, way);
      return way >= 0;
    },
    add(address, trackingId) {
      const start = find(address, trackingId);
      const way = wayOf(start);
      putFirst(start, way < 0 ? ways - 1 : way);
    },
    delete(address, trackingId) {
      const start = find(address, trackingId);
      const way = wayOf(start);
      if (way < 0) return false;
      slots.fill(0, start + way * 2, start + way * 2 + 2);
      return true;
    },
  };
}
