import type { LiveInvalidation } from '@waybill/contract';
import type { FeedEvent } from '../../server/src/events/outbox.ts';
import type { Invalidations, Recipient } from '../../server/src/events/invalidations.ts';

/** Tries every event on every listener, and tells each driver of each at once. */
export function openHintsForEach(): Invalidations {
  const listeners = new Set<{ actor: Recipient; send(hint: LiveInvalidation): void }>();
  return {
    subscribe(actor, send) {
      const listener = { actor, send };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(events) {
      for (const { actor, send } of listeners) {
        const hints = new Map<string, LiveInvalidation>();
        for (const event of events) for (const hint of hintsFor(actor, event)) hints.set(JSON.stringify(hint), hint);
        for (const hint of hints.values()) send(hint);
      }
    },
    close: () => {},
  };
}

/** Of the events of packages, which are what drivers hear. */
function hintsFor(actor: Recipient, event: FeedEvent): LiveInvalidation[] {
  const may = (permission: Recipient['permissions'][number]) => actor.permissions.includes(permission);
  const hints: LiveInvalidation[] = [];
  if (event.package_id === null) return hints;
  const id = event.package_id;
  if (event.owner_id === actor.id || may('packages.view_all')) hints.push({ type: 'package', id });
  if (event.driver_id === actor.id || event.previous_driver_id === actor.id || may('deliveries.view_all'))
    hints.push({ type: 'delivery', id });
  const isSaid = event.incident_number !== null || event.type === 'package.rated';
  if (!isSaid && (may('deliveries.claim') || may('deliveries.view_all'))) hints.push({ type: 'deliveries', id: null });
  return hints;
}
