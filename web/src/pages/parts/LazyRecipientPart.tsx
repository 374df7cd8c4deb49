import type { PublicView } from '@waybill/contract';
import { useEffect, useState } from 'react';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';

const RecipientPart = lazyComponent(async () => {
  const { openRecipientPart } = await importWithRetry(() => import('./recipient-parts.ts'));
  return openRecipientPart();
});

/** The key of the recipient's link in the address: its fragment, which browsers send to no server. */
const keyInAddress = (): string | null => /^#([\w-]{22,200})$/.exec(location.hash)?.[1] ?? null;

/** The recipient's part of the tracker, loaded when the address has a key. It stays in the address, so that a reload opens it again. */
export function LazyRecipientPart({ view }: { view: PublicView }) {
  const { trackingId } = view;
  const [link, setLink] = useState({ trackingId, secret: '' });
  useEffect(() => {
    const read = () => setLink({ trackingId, secret: keyInAddress() ?? '' });
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [trackingId]);
  // The key of one package is never sent for another that is tracked on the same page.
  if (import.meta.env.SSR || link.secret === '' || link.trackingId !== trackingId) return null;
  return <RecipientPart key={`${trackingId} ${link.secret}`} view={view} secret={link.secret} />;
}
