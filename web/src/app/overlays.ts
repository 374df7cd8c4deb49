import { createStore } from '../platform/store.ts';

/** An overlay over any page: the command palette, the list of keyboard shortcuts, or the scanner of labels. */
export type Overlay = 'palette' | 'shortcuts' | 'scanner';

export const overlay = createStore<Overlay | null>(null);
export const closeOverlay = () => overlay.set(null);
