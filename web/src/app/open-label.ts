import { fill } from '@waybill/contract';
import { deliveryQuickSearchQuery } from '../deliveries/queries.ts';
import { scannedId } from '../labels/scanned-id.ts';
import { packageHref } from '../packages/links.ts';
import { packageQuickSearchQuery } from '../packages/queries.ts';
import { queryClient } from '../platform/query-client.ts';
import type { Session } from '../platform/session.ts';
import { texts } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';

/**
 * Opens the package of a scanned label where this user reads it: an owner's and an administrator's page of it, a driver's stop. To
 * everybody else, and for packages of others, the label is the link that is printed on it: the tracker.
 * @param code the text of a label's code, or its tracking ID; others are told to be none
 */
export async function openLabel(code: string, session: Session, go: (href: string) => void): Promise<void> {
  const trackingId = scannedId(code);
  if (!trackingId)
    return toast({ title: 'Not a label', description: fill(texts.scan.foreign, { text: code.slice(0, 60) }) });
  const { user, role, permissions } = session;
  const seesAll = permissions.includes('packages.view_all');
  try {
    if (role === 'driver' && permissions.includes('deliveries.read')) {
      const found = await queryClient.fetchQuery(deliveryQuickSearchQuery(trackingId));
      const delivery = found.find((one) => one.trackingId === trackingId);
      if (delivery) return go(`/driver/dashboard?q=${trackingId}&stop=${delivery.id}`);
    } else if (seesAll || (user && role === 'owner')) {
      const found = await queryClient.fetchQuery(
        packageQuickSearchQuery(seesAll ? null : (user?.id ?? ''), trackingId),
      );
      const pkg = found.find((one) => one.trackingId === trackingId);
      if (pkg) return go(packageHref(pkg, session));
    }
    go(`/track/${trackingId}`);
  } catch (error) {
    const description = error instanceof Error ? error.message : 'Please try again.';
    toast({ title: 'The package could not be opened', description, variant: 'destructive' });
  }
}
