import type { PublicView } from '@waybill/contract';
import { lazy, Suspense } from 'react';
import { useNow } from '../platform/clock.ts';
import { texts } from '../platform/texts.ts';

const QrCode = lazy(() => import('../ui/QrCode.tsx').then((module) => ({ default: module.QrCode })));

/** On a wide screen, a code that opens this page on a phone. Not on a server that a phone cannot reach by this address. */
export function ScanCode({ view: { trackingId } }: { view: PublicView }) {
  const inBrowser = useNow() !== null;
  if (!inBrowser || !matchMedia('(width >= 75rem)').matches || /^(localhost|127\.|\[::1\])/.test(location.hostname))
    return null;
  return (
    <div className="mt-auto flex min-h-18 items-center gap-4 border-t border-line pt-4 max-wide:hidden print:hidden">
      <span className="size-18 shrink-0">
        <Suspense fallback={null}>
          <QrCode text={`${location.origin}/track/${trackingId}`} label={texts.track.scan} size="sm" />
        </Suspense>
      </span>
      <div>
        <p className="text-ui font-medium text-ink">{texts.track.takeAlong}</p>
        <p className="text-table text-ink-3">{texts.track.scan}</p>
      </div>
    </div>
  );
}
