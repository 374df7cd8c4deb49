import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';

/** The drawing of a package's state, loaded when the first one is shown: its place must have a height of its own. */
export const PackageScene = lazyComponent(() =>
  importWithRetry(() => import('../../tracking/PackageScene.tsx')).then((module) => module.PackageScene),
);
