import { useEffect } from 'react';

/** Keeps the screen on while active. Without support of the Wake Lock API the screen turns off as usual. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let released = false;
    // The browser releases the lock whenever the page is hidden, and refuses it on a low battery.
    const acquire = async () => {
      if (document.visibilityState !== 'visible') return;
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      if (released) void lock?.release();
    };
    const reacquire = () => void acquire();
    reacquire();
    document.addEventListener('visibilitychange', reacquire);
    return () => {
      released = true;
      document.removeEventListener('visibilitychange', reacquire);
      void lock?.release();
    };
  }, [active]);
}
