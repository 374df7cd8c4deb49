import { useEffect, useRef } from 'react';
import { api } from '../platform/api.ts';
import { useInvalidation } from '../platform/invalidation.ts';
import { toast } from '../platform/toasts.ts';

const newest = async () => (await api.notifications.list({ query: { limit: 5 } })).items;

/** Tells a driver at once what an owner has changed of a delivery under way; the bell keeps it. */
export function useChangeToasts(): void {
  // Their ids go up with time. Nothing is told before it is known what was there.
  const last = useRef<string | null>(null);
  useEffect(() => {
    void newest().then(
      (items) => (last.current ??= items[0]?.id ?? ''),
      () => {},
    );
  }, []);
  useInvalidation('notification', () => {
    void newest().then(
      (items) => {
        const before = last.current;
        last.current = items[0]?.id ?? '';
        if (before === null) return;
        const change = items.find(({ id, type }) => id > before && type === 'package.updated');
        if (change) toast({ title: change.title, description: change.body });
      },
      // The next one asks again, and the bell has it.
      () => {},
    );
  });
}
