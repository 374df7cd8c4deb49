import type { Package } from '@waybill/contract';
import { useToday } from '../platform/clock.ts';
import { arrivalOf, toArrival } from './arrival.ts';

/** The arrival headline, worded as on the public tracker. */
export function ArrivalLine({ pkg }: { pkg: Package }) {
  const { headline, detail } = arrivalOf(toArrival(pkg), { now: useToday() });
  return (
    <div aria-live="polite" className="mb-5">
      <p className="text-section font-semibold">{headline}</p>
      {detail && <p className="figures text-ui text-ink-2">{detail}</p>}
    </div>
  );
}
