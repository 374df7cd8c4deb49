import { useEffect, useRef, useState } from 'react';

const shownAfterMs = 200;
const heldForMs = 300;

/** Holds a skeleton that became visible (200 ms after it was drawn) for at least 300 ms, so that it does not flash. */
export function useDelayedPending(pending: boolean): boolean {
  const [held, setHeld] = useState(pending);
  const pendingSince = useRef(0);
  if (pending && !held) setHeld(true);

  useEffect(() => {
    if (pending) pendingSince.current = performance.now();
  }, [pending]);

  const over = held && !pending;
  useEffect(() => {
    if (!over) return;
    const shownFor = performance.now() - pendingSince.current - shownAfterMs;
    const timer = setTimeout(() => setHeld(false), shownFor > 0 ? Math.max(0, heldForMs - shownFor) : 0);
    return () => clearTimeout(timer);
  }, [over]);

  return held;
}
