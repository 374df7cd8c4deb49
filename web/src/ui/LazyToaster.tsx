import { lazyComponent, usePreload } from '../platform/lazy-component.tsx';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { useStore } from '../platform/store.ts';
import { toasts } from '../platform/toasts.ts';

const load = () => importWithRetry(() => import('./Toaster.tsx')).then((module) => module.Toaster);
const Toaster = lazyComponent(load);

/**
 * Keeps the code of toasts out of the initial load. It is preloaded after 2 s, or loaded with the first toast: that one may have to
 * say that the server is unreachable, when the code could no longer be loaded.
 */
export function LazyToaster() {
  const needed = useStore(toasts).length > 0;
  usePreload(load);
  return needed && <Toaster />;
}
