import { useEffect, useEffectEvent, useState } from 'react';
import type { ComponentType } from 'react';

interface Fallible {
  /** Its code could not be loaded. */
  onFailed: () => void;
}

/**
 * A component whose code comes when it is first drawn. React's own `lazy` takes the whole page down, with all that was typed,
 * when the code cannot be loaded. This one draws nothing and tells. It asks again the next time.
 */
export function loadLater<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P & Fallible> {
  let known: ComponentType<P> | null = null;
  return function Later(props) {
    const [Loaded, setLoaded] = useState(() => known);
    const fail = useEffectEvent(props.onFailed);
    useEffect(() => {
      if (Loaded) return;
      let gone = false;
      load().then(
        (loaded) => {
          known = loaded;
          if (!gone) setLoaded(() => loaded);
        },
        () => !gone && fail(),
      );
      return () => {
        gone = true;
      };
    }, [Loaded]);
    return Loaded && <Loaded {...props} />;
  };
}

const quietMs = 2000;

/** Loads code once the page has had its time: it may be needed when there is no connection. */
export function useLoadAhead(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), quietMs);
    return () => clearTimeout(timer);
  }, [load]);
}
