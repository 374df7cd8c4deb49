import type { Notification, Role } from '@waybill/contract';

type Target = Pick<Notification, 'type' | 'packageId' | 'trackingId' | 'incidentId'>;

/** Where a notification leads its reader: to what it is about, on the screen that they have for it. */
export function linkOf({ type, packageId, trackingId, incidentId }: Target, role: Role | null): string | null {
  if (type === 'message.received') return '/admin/notifications?tab=messages';
  if (type === 'password.reset-requested') return '/admin/users';
  if (packageId === null || trackingId === null) return null;
  if (role === 'owner') return `/owner/package/${packageId}`;
  if (role === 'driver')
    return `/driver/dashboard?show=${type === 'delivery.assigned' ? 'mine' : 'completed'}&q=${trackingId}`;
  return incidentId === null ? `/track/${trackingId}` : `/admin/dashboard?incident=${incidentId}`;
}
