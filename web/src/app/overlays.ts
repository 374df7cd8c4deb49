import { createStore } from '../platform/store.ts';

/** What lies over any page: the command palette, or the sheet of keyboard shortcuts. */
export type Overlay = 'palette' | 'shortcuts';

export const overlay = createStore<Overlay | null>(null);
export const closeOverlay = () => overlay.set(null);
