import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

/** The dialog of an account, loaded when the first one is opened: its form is a fifth of the page's code. */
export const UserDialog = lazyComponent(() =>
  importWithRetry(() => import('./UserDialog.tsx')).then((module) => module.UserDialog),
);
