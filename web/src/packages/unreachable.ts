import type { Package, TrackingEvent } from '@waybill/contract';

type Told = Pick<TrackingEvent, 'type' | 'changes'>;

/** By what says that messages to it come back. */
const addresses = {
  'package.unreachable': 'recipientEmail',
  'package.number-unreachable': 'recipientPhone',
} as const satisfies Partial<Record<TrackingEvent['type'], keyof Package>>;

export type RecipientAddress = (typeof addresses)[keyof typeof addresses];

/** The addresses of the recipient from which messages came back, and that were not changed since. @param events the newest first */
export function unreachableOf(events: readonly Told[]): Set<RecipientAddress> {
  const changed = new Set<string>();
  const found = new Set<RecipientAddress>();
  for (const { type, changes } of events) {
    for (const field of Object.keys(changes ?? {})) changed.add(field);
    const address = Object.hasOwn(addresses, type) ? addresses[type as keyof typeof addresses] : null;
    if (address !== null && !changed.has(address)) found.add(address);
  }
  return found;
}
