import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';

/** The panel of a package, loaded when the first one is opened. */
export const PackagePanel = lazyComponent(() =>
  importWithRetry(() => import('./PackagePanel.tsx')).then((module) => module.PackagePanel),
);
