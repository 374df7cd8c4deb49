import { pageData } from '../platform/page-data.ts';
import type { Session } from '../platform/session.ts';

/** The page a reader opens a package on: owner's, administrator's (`packages.view_all`) or public. */
export function packageHref(
  { id, trackingId }: { id: string; trackingId: string },
  { role, permissions }: Pick<Session, 'role' | 'permissions'>,
): string {
  if (role === 'owner') return `/owner/package/${id}`;
  return permissions.includes('packages.view_all') ? `/admin/package/${id}` : `/track/${trackingId}`;
}

/** Absolute URL of a package's public page, for sharing; null when PUBLIC_URL is not set on the server. */
export function trackerLink(
  trackingId: string,
  origin: string | null = pageData ? (pageData.links ?? null) : location.origin,
): string | null {
  return origin === null ? null : `${origin}/track/${trackingId}`;
}
