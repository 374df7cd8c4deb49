import { loadLater, useLoadAhead } from '../platform/load-later.tsx';
import { loadModule } from '../platform/load-module.ts';
import { useStore } from '../platform/store.ts';
import { toasts } from '../platform/toasts.ts';

const load = () => loadModule(() => import('./Toaster.tsx')).then((module) => module.Toaster);
const Toaster = loadLater(load);

/**
 * Keeps the toasts' code out of the first load. It comes once the page has had its time, and at the latest with the first
 * toast: that one may have to say that the server cannot be reached.
 */
export function ToasterWhenNeeded() {
  const needed = useStore(toasts).length > 0;
  useLoadAhead(load);
  return needed && <Toaster />;
}
