import { useSyncExternalStore } from 'react';

/** Whether a media query matches. @param query a constant text, such as `(width >= 64rem)` */
export const useMediaQuery = (query: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
    () => false,
  );
