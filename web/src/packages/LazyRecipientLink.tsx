import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

export const RecipientLink = lazyComponent(() =>
  importWithRetry(() => import('./RecipientLink.tsx')).then((module) => module.RecipientLink),
);
