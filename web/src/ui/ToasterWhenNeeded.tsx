import { Suspense, lazy } from 'react';
import { useStore } from '../platform/store.ts';
import { toasts } from '../platform/toasts.ts';

const Toaster = lazy(() => import('./Toaster.tsx').then(({ Toaster }) => ({ default: Toaster })));

/** Keeps the toasts' code out of the first load; it comes with the first toast and stays. */
export function ToasterWhenNeeded() {
  const needed = useStore(toasts).length > 0;
  if (!needed) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
