/** With a browser clock that is fast, refetching would loop without a pause. */
const minDelayMs = 5000;
/** Times that passed longer ago are already in the data, unless the browser's clock is ahead by more. */
const clockSkewMs = 20_000;
/** The maximum delay of a browser timer. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Who is on duty changes with time, without a live event: refetch when the next shift starts or ends.
 * @returns milliseconds until the refetch; false: no shift ahead, only a live event can change it
 */
export function msUntilNext(times: readonly (string | null)[], now = Date.now()): number | false {
  const delays = times
    .flatMap((time) => (time === null ? [] : [Date.parse(time) - now]))
    .filter((ms) => ms > -clockSkewMs);
  return delays.length > 0 && Math.min(Math.max(Math.min(...delays), minDelayMs), maxDelayMs);
}
