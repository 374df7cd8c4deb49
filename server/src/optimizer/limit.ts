/** When a search ends. With iterations it is deterministic. */
export type Limit = { iterations: number } | { seconds: number };

/** How far a search has come. */
export interface Progress {
  /** From 0 to 1, where it ends; also 1 once it was stopped. */
  share(iteration: number): number;
  /** Since the beginning, by the clock of the search. */
  seconds(): number;
}

/**
 * @param clock in s. People wait by the wall clock; benches measure the CPU time of the thread
 * @param isStopped ends the search at once
 */
export function startProgress(limit: Limit, clock: () => number, isStopped: () => boolean): Progress {
  const startedAt = clock();
  const seconds = () => clock() - startedAt;
  return {
    seconds,
    share: (iteration) => {
      if (isStopped()) return 1;
      return Math.min(1, 'iterations' in limit ? iteration / limit.iterations : seconds() / limit.seconds);
    },
  };
}
