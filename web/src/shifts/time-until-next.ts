/** A clock of the browser that is fast would ask at once, again and again. */
const minPauseMs = 5000;
/** What passed longer ago is known by now, unless the browser's clock is ahead by more. */
const latenessMs = 20_000;
/** What timers can wait for. */
const maxPauseMs = 2 ** 31 - 1;

/**
 * Who is on duty changes with the time, of which no stream tells: read again when the next shift begins or ends.
 * @returns for how long what was read holds; false: for as long as nobody changes a shift
 */
export function msUntilNext(times: readonly (string | null)[], now = Date.now()): number | false {
  const pauses = times
    .flatMap((time) => (time === null ? [] : [Date.parse(time) - now]))
    .filter((ms) => ms > -latenessMs);
  return pauses.length > 0 && Math.min(Math.max(Math.min(...pauses), minPauseMs), maxPauseMs);
}
