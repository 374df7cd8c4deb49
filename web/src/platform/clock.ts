import { useSyncExternalStore } from 'react';

const tickMs = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time in ms, updated every 30 s. Null during server-side rendering and hydration, so that both render the same HTML. */
export const useNow = (): number | null => useSyncExternalStore<number | null>(subscribe, readNow, () => null);

/** The current time as a date. Only for pages that are not rendered on the server. */
export const useToday = (): Date => new Date(useNow() ?? readNow());

function readNow(): number {
  // Without a running timer `now` may be stale. Refresh it at most once a second: within one render it must not change.
  if (timer === undefined && Date.now() - now > 1000) now = Date.now();
  return now;
}
