import { localStorageItem } from './local-storage.ts';
import { createStore, useStore } from './store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storedTheme = localStorageItem('theme');
const theme = createStore<Theme>(themes.find((name) => name === storedTheme.read()) ?? 'system', 'system');

export const useTheme = () => useStore(theme);

/** Applies a theme and stores it in this browser; `public/theme.js` applies it before the first paint. */
export function chooseTheme(next: Theme): void {
  theme.set(next);
  storedTheme.write(next === 'system' ? null : next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const dark = next === 'system' ? meta.media.includes('dark') : next === 'dark';
    meta.content = dark ? '#0A0D13' : '#F7F8FA';
  }
}
