/** When the polls begin, and how far apart: between the lanes (lanes.ts), for the same reason. */
const [firstMs, apartMs] = [125, 250];

let started = 0;

/**
 * Calls `look` once in an interval, for the first time a little later than an interval from now. The polls of a process look at different
 * times, so that they can share a connection: one more is a process of PostgreSQL more, which keeps its memory for 10 s.
 *
 * @param everyMs a whole number of seconds
 * @returns how to stop it
 */
export function startPoll(look: () => void, everyMs: number): () => void {
  const phaseMs = firstMs + (started++ % 4) * apartMs;
  let timer: NodeJS.Timeout;
  const begin = () => {
    timer = setInterval(look, everyMs).unref();
  };
  timer = setTimeout(begin, phaseMs).unref();
  return () => clearTimeout(timer);
}
