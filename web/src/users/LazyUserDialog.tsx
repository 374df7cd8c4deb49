import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { loadAccountTexts } from './account-texts.ts';

/** The dialog of an account, loaded when the first one is opened: its form is a fifth of the page's code. */
export const UserDialog = lazyComponent(async () => {
  const [code] = await Promise.all([importWithRetry(() => import('./UserDialog.tsx')), loadAccountTexts('en')]);
  return code.UserDialog;
});
