import { useEffect, useEffectEvent, useState } from 'react';
import type { ComponentType } from 'react';
import type { LoadError } from './import-with-retry.ts';

interface Fallible {
  /** The code could not be loaded. While the component stays mounted, loading is retried. */
  onFailed?: (error: LoadError) => void;
}

/** Between two attempts to load the code of a mounted component. */
export const retryIntervalMs = 3000;

/**
 * A component whose code is loaded when it is first mounted. When loading fails, React's own `lazy` unmounts the whole page with all
 * form input. This one renders nothing, calls `onFailed` and retries.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P & Fallible> {
  let cached: ComponentType<P> | null = null;
  return function LazyComponent(props) {
    const [Loaded, setLoaded] = useState(() => cached);
    const notifyFailed = useEffectEvent((error: LoadError) => props.onFailed?.(error));
    useEffect(() => {
      if (Loaded) return;
      let unmounted = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const attempt = () =>
        load().then(
          (loaded) => {
            cached = loaded;
            if (!unmounted) setLoaded(() => loaded);
          },
          (error: LoadError) => {
            if (unmounted) return;
            timer = setTimeout(() => void attempt(), retryIntervalMs);
            notifyFailed(error);
          },
        );
      void attempt();
      return () => {
        unmounted = true;
        clearTimeout(timer);
      };
    }, [Loaded]);
    return Loaded && <Loaded {...props} />;
  };
}

const preloadDelayMs = 2000;

/** Preloads code 2 s after mounting, so that it does not compete with the page itself: it may be needed once the connection is lost. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), preloadDelayMs);
    return () => clearTimeout(timer);
  }, [load]);
}
