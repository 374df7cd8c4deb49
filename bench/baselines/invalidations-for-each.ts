import type { LiveInvalidation } from '@waybill/contract';
import type { FeedEvent } from '../../server/src/events/outbox.ts';
import type { Invalidations, Recipient } from '../../server/src/events/invalidations.ts';

/** Checks every event against every listener and sends each invalidation immediately, without batching. */
export function openUnbatchedInvalidations(): Pick<Invalidations, 'subscribe' | 'publish' | 'close'> {
  const listeners = new Set<{ actor: Recipient; send(invalidation: LiveInvalidation): void }>();
  return {
    subscribe(actor, send) {
      const listener = { actor, send };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(events) {
      for (const { actor, send } of listeners) {
        const invalidations = new Map<string, LiveInvalidation>();
        for (const event of events)
          for (const invalidation of invalidationsFor(actor, event))
            invalidations.set(JSON.stringify(invalidation), invalidation);
        for (const invalidation of invalidations.values()) send(invalidation);
      }
    },
    close: () => {},
  };
}

/** The invalidations of package events, which are all that drivers receive. */
function invalidationsFor(actor: Recipient, event: FeedEvent): LiveInvalidation[] {
  const can = (permission: Recipient['permissions'][number]) => actor.permissions.includes(permission);
  const invalidations: LiveInvalidation[] = [];
  if (event.package_id === null) return invalidations;
  const id = event.package_id;
  if (event.owner_id === actor.id || can('packages.view_all')) invalidations.push({ type: 'package', id });
  if (event.driver_id === actor.id || event.previous_driver_id === actor.id || can('deliveries.view_all'))
    invalidations.push({ type: 'delivery', id });
  const isFeedback = event.incident_number !== null || event.type === 'package.rated';
  if (!isFeedback && (can('deliveries.claim') || can('deliveries.view_all')))
    invalidations.push({ type: 'deliveries', id: null });
  return invalidations;
}
