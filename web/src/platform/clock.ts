import { useSyncExternalStore } from 'react';

const tickMs = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const known of listeners) known();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, every half minute; null on the server and in the first draw over its HTML, so that both draw the same. */
export const useNow = (): number | null => useSyncExternalStore<number | null>(subscribe, readNow, () => null);

/** The same as a date, in a page that is drawn in the browser alone. */
export const useToday = (): Date => new Date(useNow() ?? readNow());

function readNow(): number {
  // Without a running timer the kept time may be old; within one draw it has to stay the same.
  if (timer === undefined && Date.now() - now > 1000) now = Date.now();
  return now;
}
