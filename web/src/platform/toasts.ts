import { createStore } from './store.ts';

export interface Toast {
  id: number;
  title: string;
  description?: string;
  variant: 'default' | 'destructive';
  open: boolean;
}

/** One toast at a time: a new one takes the place of the one before. */
const shownAtOnce = 1;
/** How long a closed toast stays in the list; in effect until the next one comes. */
const removalDelayMs = 1_000_000;

let lastId = 0;

export const toasts = createStore<readonly Toast[]>([]);

/** Says something for 5 seconds: `toast({ title: 'Error', description: 'Failed to start delivery', variant: 'destructive' })`. */
export function toast({
  title,
  description,
  variant = 'default',
}: Pick<Toast, 'title' | 'description'> & Partial<Pick<Toast, 'variant'>>) {
  toasts.set([{ id: ++lastId, title, description, variant, open: true }, ...toasts.get()].slice(0, shownAtOnce));
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  setTimeout(() => toasts.set(toasts.get().filter((shown) => shown.id !== id)), removalDelayMs);
}
