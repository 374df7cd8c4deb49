import { createStore } from './store.ts';

export interface Toast {
  id: number;
  title: string;
  description?: string;
  variant: 'default' | 'destructive';
  /** One thing that can be done at once; it must also be possible elsewhere, since the toast disappears. */
  action?: { label: string; act: () => void };
  open: boolean;
}

/** A new toast replaces the one before. */
const maxShown = 1;
/** How long a closed toast stays in the list; in effect until the next one replaces it. */
const removalDelayMs = 1_000_000;

let lastId = 0;

export const toasts = createStore<readonly Toast[]>([]);

/** Shows a message for 5 seconds: `toast({ title: 'Error', description: 'Failed to start delivery', variant: 'destructive' })`. */
export function toast({
  title,
  description,
  variant = 'default',
  action,
}: Pick<Toast, 'title' | 'description' | 'action'> & Partial<Pick<Toast, 'variant'>>) {
  toasts.set([{ id: ++lastId, title, description, variant, action, open: true }, ...toasts.get()].slice(0, maxShown));
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  setTimeout(() => toasts.set(toasts.get().filter((shown) => shown.id !== id)), removalDelayMs);
}
