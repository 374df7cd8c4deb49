import { importWithRetry } from '../platform/import-with-retry.ts';

/** The code that saves labels, when it is needed. */
export const loadPrint = () => importWithRetry(() => import('./print.ts'));
