import type { Logger } from 'pino';

/** What is done one after the other, each with what is logged if it fails. */
export type Lane = [fault: string, work: () => Promise<unknown>][];

/** When the lanes begin, and how far apart: between the polls (polls.ts), since at the same moment each would take a connection. */
const [firstMs, apartMs] = [250, 1250];

/**
 * Runs each lane once in an interval, but not while it still runs. The lanes begin at different times, so that they can share the connection
 * of whatever else is looked for: a connection more is a process of PostgreSQL more, which keeps its memory for 10 s.
 *
 * @returns how to stop them
 */
export function openLanes(lanes: Lane[], everyMs: number, log: Logger): () => void {
  const running = new Set<Lane>();
  const timers = new Map<Lane, NodeJS.Timeout>();
  let stopped = false;
  const run = async (lane: Lane) => {
    if (running.has(lane)) return;
    running.add(lane);
    for (const [fault, work] of lane) {
      if (stopped) break;
      await work().catch((error: unknown) => log.warn({ reason: String(error) }, fault));
    }
    running.delete(lane);
  };
  for (const [index, lane] of lanes.entries()) {
    const begin = () => timers.set(lane, setInterval(() => void run(lane), everyMs).unref());
    timers.set(lane, setTimeout(begin, firstMs + index * apartMs).unref());
  }
  return () => {
    stopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
