import { clearTabDrafts } from './clear-tab-drafts.ts';
import { localStorageItem } from './local-storage.ts';
import { createStore } from './store.ts';

const storedToken = localStorageItem('token');

/** The bearer token of this browser. Sent in headers only, never in a URL. */
export const token = createStore<string | null>(storedToken.read());

token.subscribe(() => {
  if (storedToken.read() !== token.get()) storedToken.write(token.get());
});

/** Follows the storage events of other tabs: signing in or out in one tab does the same in all. */
export const followOtherTabs = () =>
  addEventListener('storage', (event) => {
    if (event.key !== 'token' && event.key !== null) return;
    const next = storedToken.read();
    if (next === null) clearTabDrafts(null);
    token.set(next);
  });
