import { createStore } from '../platform/store.ts';

/** An overlay over any page: the command palette, or the list of keyboard shortcuts. */
export type Overlay = 'palette' | 'shortcuts';

export const overlay = createStore<Overlay | null>(null);
export const closeOverlay = () => overlay.set(null);
