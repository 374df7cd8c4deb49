import { localStorageItem } from './local-storage.ts';
import { createStore, useStore } from './store.ts';

const stored = localStorageItem('contrast');
const chosen = createStore(stored.read() === 'more', false);

/** Whether high contrast is chosen on this device. It also holds when the device asks for it. */
export const useHighContrast = () => useStore(chosen);

/** Applies and stores the choice; `public/theme.js` applies it before the first paint. */
export function chooseHighContrast(more: boolean): void {
  chosen.set(more);
  stored.write(more ? 'more' : null);
  if (more || matchMedia('(prefers-contrast: more)').matches) document.documentElement.dataset.contrast = 'more';
  else delete document.documentElement.dataset.contrast;
}
