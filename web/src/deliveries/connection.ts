import { useEffect, useSyncExternalStore } from 'react';
import { useLiveState } from '../platform/live.ts';
import { createStore, useStore } from '../platform/store.ts';

const lostAt = createStore<number | null>(null);

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** When the connection was lost, in ms since 1970; null while there is one. The live stream notices a dead network before the browser. */
export function useConnectionLostAt(): number | null {
  const live = useLiveState();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  const lost = !online || live === 'offline';
  useEffect(() => lostAt.set(lost ? (lostAt.get() ?? Date.now()) : null), [lost]);
  return useStore(lostAt);
}
