import { useEffect, useRef } from 'react';
import { api } from '../platform/api.ts';
import { useInvalidation } from '../platform/invalidation.ts';
import { toast } from '../platform/toasts.ts';

const fetchLatest = async () => (await api.notifications.list({ query: { limit: 5 } })).items;

/** Shows a driver a toast when an owner changes an open delivery. The notification list keeps it. */
export function useChangeToasts(): void {
  // Ids (UUIDv7) increase with time. No toast is shown before the first list is loaded.
  const latestId = useRef<string | null>(null);
  useEffect(() => {
    void fetchLatest().then(
      (items) => (latestId.current ??= items[0]?.id ?? ''),
      () => {},
    );
  }, []);
  useInvalidation('notification', () => {
    void fetchLatest().then(
      (items) => {
        const previousId = latestId.current;
        latestId.current = items[0]?.id ?? '';
        if (previousId === null) return;
        const change = items.find(({ id, type }) => id > previousId && type === 'package.updated');
        if (change) toast({ title: change.title, description: change.body });
      },
      // The next update fetches again, and the bell shows the notification anyway.
      () => {},
    );
  });
}
