import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

/** The dialog of a dispatch action, loaded when the first one is chosen. */
export const DispatchDialog = lazyComponent(() =>
  importWithRetry(() => import('./DispatchDialog.tsx')).then((module) => module.DispatchDialog),
);
