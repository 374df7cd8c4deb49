import { useEffect, useEffectEvent, useState } from 'react';
import type { ComponentType } from 'react';
import type { LoadError } from './import-with-retry.ts';

interface Fallible {
  /** Its code could not be loaded. As long as it is drawn all the same, it is asked for again. */
  onFailed?: (error: LoadError) => void;
}

/** Between two tries to load what is missing on the screen. */
export const retryIntervalMs = 3000;

/**
 * A component whose code comes when it is first drawn. React's own `lazy` takes the whole page down, with all that was typed,
 * when the code cannot be loaded. This one draws nothing, tells, and asks again.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P & Fallible> {
  let known: ComponentType<P> | null = null;
  return function Later(props) {
    const [Loaded, setLoaded] = useState(() => known);
    const fail = useEffectEvent((error: LoadError) => props.onFailed?.(error));
    useEffect(() => {
      if (Loaded) return;
      let gone = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const ask = () =>
        load().then(
          (loaded) => {
            known = loaded;
            if (!gone) setLoaded(() => loaded);
          },
          (error: LoadError) => {
            if (gone) return;
            timer = setTimeout(() => void ask(), retryIntervalMs);
            fail(error);
          },
        );
      void ask();
      return () => {
        gone = true;
        clearTimeout(timer);
      };
    }, [Loaded]);
    return Loaded && <Loaded {...props} />;
  };
}

const quietMs = 2000;

/** Loads code once the page has had its time: it may be needed when there is no connection. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), quietMs);
    return () => clearTimeout(timer);
  }, [load]);
}
