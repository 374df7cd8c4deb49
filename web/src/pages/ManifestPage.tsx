import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { loadManifestTexts } from '../routes/manifest-texts.ts';

const Manifest = lazyComponent(async () => {
  const [code] = await Promise.all([importWithRetry(() => import('./parts/Manifest.tsx')), loadManifestTexts()]);
  return code.Manifest;
});

/** What is loaded for a route, to print: of dispatchers, and of its driver. */
export function ManifestPage() {
  return <Manifest />;
}
