import { useRef, useState } from 'react';
import { api } from '../platform/api.ts';
import { useInvalidation } from '../platform/invalidation.ts';
import { toast } from '../platform/toasts.ts';

const fetchLatest = async () => (await api.notifications.list({ query: { limit: 5 } })).items;

/** How far the device's clock may be from the server's. */
const clockToleranceMs = 120_000;

const shown = new Set(['package.updated', 'offer.declined', 'offer.expired']);

/** Shows a driver a toast when an owner changes an open delivery, or a colleague does not accept an offer. The notification list keeps it. */
export function useChangeToasts(): void {
  const [openedAt] = useState(() => Date.now());
  // Ids (UUIDv7) increase with time. Null until the first list: then only what came since the page was opened is new.
  const latestId = useRef<string | null>(null);
  useInvalidation('notification', () => {
    void fetchLatest().then(
      (items) => {
        const previousId = latestId.current;
        latestId.current = items[0]?.id ?? '';
        const change = items.find(
          ({ id, type, createdAt }) =>
            shown.has(type) &&
            (previousId === null ? Date.parse(createdAt) > openedAt - clockToleranceMs : id > previousId),
        );
        if (change) toast({ title: change.title, description: change.body });
      },
      // The next update fetches again, and the bell shows the notification anyway.
      () => {},
    );
  });
}
