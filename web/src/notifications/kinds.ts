import type { NotificationKind } from '@waybill/contract';

/** The texts of each kind in the preferences. */
export const kindTexts: Record<NotificationKind, { label: string; hint: string }> = {
  'delivery.started': { label: 'Out for Delivery', hint: 'A driver has started the delivery of a package' },
  'delivery.next': { label: 'Next stop', hint: "A package is the driver's next stop" },
  'delivery.completed': { label: 'Delivered', hint: 'A package has been delivered' },
  'delivery.failed': { label: 'Delivery attempt failed', hint: 'A package could not be delivered and waits again' },
  'delivery.assigned': { label: 'Delivery assigned', hint: 'An administrator has given a delivery to a driver' },
  'delivery.released': {
    label: 'Delivery taken back',
    hint: 'A delivery is taken from its driver, or its driver is no longer available',
  },
  'package.created': { label: 'Registered', hint: 'A package has been registered' },
  'package.cancelled': { label: 'Package cancelled', hint: 'A package has been cancelled' },
  'package.deleted': { label: 'Package deleted', hint: 'A package has been deleted' },
  'package.updated': {
    label: 'Delivery changed',
    hint: 'An owner or recipient has changed time, place or instructions of a delivery of yours',
  },
  'package.pin': { label: 'PIN at the door', hint: 'Too many wrong PINs were tried, or dispatch has released one' },
  'package.rated': { label: 'New rating', hint: 'An owner or recipient has rated a delivery of yours' },
  'package.messaged': { label: 'Messages about packages', hint: 'Somebody who follows a package has written to you' },
  'package.unreachable': {
    label: 'Recipient not reached',
    hint: 'E-mails to the recipient of a package come back: the address needs a correction',
  },
  'offer.declined': {
    label: 'Offer not accepted',
    hint: 'A colleague has declined stops that you offered, or did not answer in time',
  },
  'absence.reported': { label: 'Absences of drivers', hint: 'A driver has entered that they are away' },
  incident: { label: 'Issues', hint: 'An issue is reported, investigated, resolved or reopened' },
  'message.received': { label: 'Messages', hint: 'A visitor has written by the contact form' },
  security: {
    label: 'Security of your account',
    hint: 'A sign-in from a new address, your password, second factor, links, rights or sessions',
  },
  'account.waiting': {
    label: 'Accounts that await approval',
    hint: 'Somebody has registered and cannot begin before you decide',
  },
  'password.reset-requested': { label: 'Password forgotten', hint: 'A user waits for a link to a new password' },
};
