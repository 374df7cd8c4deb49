import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';

/** The user's own figures, whose table the page of the account does not wait for. */
export const OwnFigures = lazyComponent(() =>
  importWithRetry(() => import('../../stats/OwnFigures.tsx')).then((module) => module.OwnFigures),
);
