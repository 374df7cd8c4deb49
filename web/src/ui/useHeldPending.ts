import { useEffect, useRef, useState } from 'react';

const shownAfterMs = 200;
const heldForMs = 300;

/** Holds a skeleton that became visible (200 ms after it was drawn) for at least 300 ms, so that it does not flash. */
export function useHeldPending(pending: boolean): boolean {
  const [held, setHeld] = useState(pending);
  const pendingSince = useRef(0);
  useEffect(() => {
    if (pending) {
      pendingSince.current = performance.now();
      setHeld(true);
      return;
    }
    const shownFor = performance.now() - pendingSince.current - shownAfterMs;
    if (shownFor <= 0 || shownFor >= heldForMs) return setHeld(false);
    const timer = setTimeout(() => setHeld(false), heldForMs - shownFor);
    return () => clearTimeout(timer);
  }, [pending]);
  return pending || held;
}
