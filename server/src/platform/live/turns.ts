/** Calls each of its callbacks once in an interval, a share of them at a time. */
export interface Turns {
  /** @returns how to remove it */
  add(callback: () => void): () => void;
  close(): void;
}

/** @param count the shares: something small for 5,000 streams at once holds up whatever else this process does */
export function openTurns(everyMs: number, count: number): Turns {
  const turns = Array.from({ length: count }, () => new Set<() => void>());
  let added = 0;
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % count;
    for (const callback of turns[turn] ?? []) callback();
  }, everyMs / count).unref();
  return {
    add(callback) {
      // In turn, so that those that come together, as after a restart, are not called together.
      const callbacks = turns[added++ % count];
      callbacks?.add(callback);
      return () => void callbacks?.delete(callback);
    },
    close: () => clearInterval(timer),
  };
}
