import type { PackageEventType } from '@waybill/contract';

const names: Record<PackageEventType, string> = {
  'package.created': 'Registered for shipping',
  'package.updated': 'Details updated',
  'package.cancelled': 'Cancelled',
  'package.deleted': 'Removed',
  'delivery.started': 'Picked up by the driver',
  'delivery.next': 'Next stop of the driver',
  'delivery.deferred': 'Moved behind other stops',
  'delivery.arrived': 'Driver arrived',
  'delivery.located': 'Place reported by the driver',
  'delivery.completed': 'Delivered',
  'delivery.failed': 'Delivery attempt failed',
  'delivery.assigned': 'Handed to a driver',
  'delivery.released': 'Taken back from the driver',
  'delivery.stranded': 'Driver no longer available',
  'delivery.resumed': 'Driver available again',
  'package.changed-by-recipient': 'Changed by the recipient',
  'package.change-acknowledged': 'Change seen by the driver',
  'package.next-step': 'Next step chosen',
  'package.returned': 'Back with its owner',
  'package.collected': 'Collected at the depot',
  'package.pin-locked': 'Locked after too many wrong PINs',
  'package.pin-released': 'PIN released',
  'delivery.reopened': 'Reopened: not delivered after all',
  'package.messaged': 'Message to the sender',
  'package.unreachable': 'E-mails to the recipient come back',
  'issue.reported': 'Issue reported',
  'incident.investigating': 'Issue under investigation',
  'incident.resolved': 'Issue resolved',
  'incident.reopened': 'Issue reopened',
  'package.rated': 'Rated',
  'package.rated-by-recipient': 'Rated by the recipient',
  'package.placed': 'Place set on the map',
};

/** Display name of an event type; an unknown one, of a newer server, is shown as it is. */
export const nameOfEvent = (type: string): string => (type in names ? names[type as PackageEventType] : type);
