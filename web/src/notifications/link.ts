import type { Notification } from '@waybill/contract';
import { packageHref } from '../packages/links.ts';
import type { Session } from '../platform/session.ts';

type Target = Pick<Notification, 'type' | 'packageId' | 'trackingId' | 'incidentId'>;

/** Matches the type's name: this code is in the bundle of public pages, and the event rules would be larger than all of it. */
const isOfPackage = /^(delivery|package|issue|incident)\./;

/** The page of a notification's subject for its reader; null if they may no longer see it. */
export function linkOf(
  { type, packageId, trackingId, incidentId }: Target,
  session: Pick<Session, 'role' | 'permissions'>,
): string | null {
  if (type === 'message.received') return '/admin/messages';
  if (type === 'account.waiting') return '/admin/users?awaitsApproval=true';
  if (type === 'password.reset-requested') return '/admin/users';
  if (type === 'absence.reported') return '/admin/schedule';
  if (type.startsWith('offer.')) return '/driver/dashboard';
  if (!isOfPackage.test(type)) return '/account';
  if (packageId === null || trackingId === null) return null;
  const isShown = !trackingId.includes('…');
  if (session.role === 'driver') {
    if (!isShown) return null;
    return `/driver/dashboard?show=${type.startsWith('delivery.') ? 'mine' : 'completed'}&q=${trackingId}`;
  }
  if (incidentId !== null && session.role === 'admin') return `/admin/dashboard?incident=${incidentId}`;
  if (!isShown) return null;
  const page = packageHref({ id: packageId, trackingId }, session);
  return type === 'package.unreachable' || type === 'package.number-unreachable' ? `${page}/edit` : page;
}
