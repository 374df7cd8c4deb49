import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

/** Loaded with its texts once a driver works. */
export const PositionSharing = lazyComponent(async () => {
  const { PositionSharing: Loaded, loadPositionTexts } = await importWithRetry(() => import('./PositionSharing.tsx'));
  await loadPositionTexts();
  return Loaded;
});
