import { useSyncExternalStore } from 'react';

const query = '(width < 48rem)';

function subscribe(listener: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** Below 768 px. Only for pages that are not rendered on the server. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
