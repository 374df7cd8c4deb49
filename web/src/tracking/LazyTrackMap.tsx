import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

/** Loaded only while there is a driver to show. */
export const TrackMap = lazyComponent(async () => {
  const { openTrackMap } = await importWithRetry(() => import('./track-map.ts'));
  return openTrackMap();
});
