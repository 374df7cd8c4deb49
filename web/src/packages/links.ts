import { pageData } from '../platform/page-data.ts';
import type { Session } from '../platform/session.ts';

/** Where somebody opens a package: on the page that owners have for it, on the one for who sees everybody's, or on the public one. */
export function packageHref(
  { id, trackingId }: { id: string; trackingId: string },
  { role, permissions }: Pick<Session, 'role' | 'permissions'>,
): string {
  if (role === 'owner') return `/owner/package/${id}`;
  return permissions.includes('packages.view_all') ? `/admin/package/${id}` : `/track/${trackingId}`;
}

/** The whole address of the public page of a package, to be passed on; null where the server makes no links. */
export function trackerLink(
  trackingId: string,
  origin: string | null = pageData ? (pageData.links ?? null) : location.origin,
): string | null {
  return origin === null ? null : `${origin}/track/${trackingId}`;
}
