import { localStorageItem } from './local-storage.ts';
import { createStore, useStore } from './store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = localStorageItem('theme');
const theme = createStore<Theme>(themes.find((known) => known === kept.read()) ?? 'system', 'system');

export const useTheme = () => useStore(theme);

/** Kept in this browser; `public/theme.js` puts it on before the first paint. */
export function chooseTheme(next: Theme): void {
  theme.set(next);
  kept.write(next === 'system' ? null : next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const dark = next === 'system' ? meta.media.includes('dark') : next === 'dark';
    meta.content = dark ? '#0A0D13' : '#F7F8FA';
  }
}
