import { clearTabDrafts } from './clear-tab-drafts.ts';
import { localStorageItem } from './local-storage.ts';
import { createStore } from './store.ts';

const kept = localStorageItem('token');

/** The bearer token of this browser. Only the client and the live stream read it; it goes into headers, never into a URL. */
export const token = createStore<string | null>(kept.read());

token.subscribe(() => {
  if (kept.read() !== token.get()) kept.write(token.get());
});

/** Signing in or out in one tab does the same in the others. */
export const followOtherTabs = () =>
  addEventListener('storage', (event) => {
    if (event.key !== 'token' && event.key !== null) return;
    const present = kept.read();
    if (present === null) clearTabDrafts(null);
    token.set(present);
  });
