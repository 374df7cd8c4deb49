import { lazyComponent, usePreload } from '../platform/lazy-component.tsx';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { useStore } from '../platform/store.ts';
import { toasts } from '../platform/toasts.ts';

const load = () => importWithRetry(() => import('./Toaster.tsx')).then((module) => module.Toaster);
const Toaster = lazyComponent(load);

/**
 * Keeps the toasts' code out of the first load. It comes once the page has had its time, and at the latest with the first
 * toast: that one may have to say that the server cannot be reached.
 */
export function LazyToaster() {
  const needed = useStore(toasts).length > 0;
  usePreload(load);
  return needed && <Toaster />;
}
