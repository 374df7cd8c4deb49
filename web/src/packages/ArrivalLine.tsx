import { isOnTheRoad } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { useToday } from '../platform/clock.ts';
import { useSession } from '../platform/session.ts';
import { arrivalOf, toArrival } from './arrival.ts';
import { waitsAfterAttempt, nextStepWords } from './next-step.ts';

/** The arrival headline, worded as on the public tracker; after a failed attempt what was chosen for it, whose details stand in its banner. */
export function ArrivalLine({ pkg }: { pkg: Package }) {
  const now = useToday();
  const owns = useSession().user?.id === pkg.userId;
  const isDecided = waitsAfterAttempt(pkg) && (pkg.nextStep !== null || pkg.returnDue);
  const arrival = arrivalOf(toArrival(pkg), { now });
  const { headline, detail } = isDecided
    ? { headline: nextStepWords(pkg, { now, owns }).headline, detail: null }
    : isOnTheRoad(pkg.status) && pkg.returnDue
      ? { headline: `On its way back to ${owns ? 'you' : 'the sender'}`, detail: arrival.headline }
      : arrival;
  return (
    <div aria-live="polite" className="mb-5">
      <p className="text-section font-semibold">{headline}</p>
      {detail && <p className="figures text-ui text-ink-2">{detail}</p>}
    </div>
  );
}
