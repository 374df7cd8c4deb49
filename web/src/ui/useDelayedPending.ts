import { useEffect, useRef, useState } from 'react';

const delayMs = 200;
const minVisibleMs = 300;

/** Keeps a skeleton that became visible (200 ms after it was mounted) for at least 300 ms, so that it does not flash. */
export function useDelayedPending(pending: boolean): boolean {
  const [held, setHeld] = useState(pending);
  const pendingSince = useRef(0);
  if (pending && !held) setHeld(true);

  useEffect(() => {
    if (pending) pendingSince.current = performance.now();
  }, [pending]);

  const finished = held && !pending;
  useEffect(() => {
    if (!finished) return;
    const shownFor = performance.now() - pendingSince.current - delayMs;
    const timer = setTimeout(() => setHeld(false), shownFor > 0 ? Math.max(0, minVisibleMs - shownFor) : 0);
    return () => clearTimeout(timer);
  }, [finished]);

  return held;
}
