import { afterEach, expect, test, vi } from 'vitest';
import { closeToast, toast, toasts } from './toasts.ts';

afterEach(() => {
  vi.useRealTimers();
  toasts.set([]);
});

test('one toast is shown at a time: a new one replaces it', () => {
  toast({ title: 'First' });
  toast({ title: 'Second', description: 'Why', variant: 'destructive' });
  expect(toasts.get()).toMatchObject([{ title: 'Second', description: 'Why', variant: 'destructive', open: true }]);
});

test('a closed toast is removed after 1,000,000 ms', () => {
  vi.useFakeTimers();
  toast({ title: 'Saved' });
  const [shown] = toasts.get();
  closeToast(shown?.id ?? 0);
  expect(toasts.get()).toMatchObject([{ title: 'Saved', open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(toasts.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.get()).toHaveLength(0);
});
