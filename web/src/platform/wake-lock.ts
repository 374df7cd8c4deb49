import { useEffect } from 'react';

/** Keeps the screen on while something is under way. Not every browser can; it goes dark there as usual. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return;
    let held: WakeLockSentinel | null = null;
    let over = false;
    // The browser takes it back whenever the page is hidden, and refuses it on a low battery.
    const hold = async () => {
      if (document.visibilityState !== 'visible') return;
      held = await navigator.wakeLock.request('screen').catch(() => null);
      if (over) void held?.release();
    };
    const again = () => void hold();
    again();
    document.addEventListener('visibilitychange', again);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', again);
      void held?.release();
    };
  }, [active]);
}
