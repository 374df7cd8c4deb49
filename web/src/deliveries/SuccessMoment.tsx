import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { ArrowRight, Check } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatTime } from '../platform/formats.ts';
import { vibrate } from '../platform/vibrate.ts';
import { dueText } from './due.ts';
import { texts } from './texts.ts';

/** What was handed over, for the moment after. */
export interface HandedOver {
  delivery: Delivery;
  /** Whom a return was brought back to; else null. */
  returnedTo: string | null;
  /** At the same door. */
  others: Delivery[];
  receivedBy: string | undefined;
  signed: boolean;
  photo: boolean;
}

const shownMs = 1200;

const proofText = ({ signed, photo }: HandedOver) =>
  signed && photo ? texts.signedWithPhoto : signed ? texts.isSigned : photo ? texts.withPhoto : null;

interface SuccessMomentProps {
  done: HandedOver;
  following: Delivery | undefined;
  /** After 1.2 s, a tap or a key. */
  onOver: () => void;
}

/** A moment of success over the whole screen, before the next stop. Screen readers get the toast that follows instead. */
export function SuccessMoment({ done, following, onOver }: SuccessMomentProps) {
  const now = useToday();
  const end = useEffectEvent(onOver);
  useEffect(() => {
    vibrate([30, 40, 30]);
    const timer = setTimeout(end, shownMs);
    const skip = () => end();
    addEventListener('keydown', skip);
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', skip);
    };
  }, []);
  const { delivery, receivedBy, returnedTo } = done;
  const time = formatTime(delivery.completedAt ?? delivery.updatedAt);
  const who = [receivedBy ?? returnedTo ?? delivery.recipientName, proofText(done)].filter(Boolean).join(' · ');
  return (
    <div
      aria-hidden="true"
      className="success-moment fixed inset-0 z-50 flex animate-appear-now flex-col items-center justify-center gap-2 overflow-hidden bg-success px-4 text-center text-on-success"
      onClick={onOver}
    >
      <span className="mb-4 flex size-36 items-center justify-center rounded-full bg-current/10">
        <span className="flex size-20 animate-settle items-center justify-center rounded-full bg-on-success text-success">
          <Check className="draw-check size-12" strokeWidth={3} />
        </span>
      </span>
      <p className="text-[2.25rem]/[2.625rem] font-semibold tracking-[-0.03em] figures">
        {fill(returnedTo === null ? texts.deliveredAt : texts.broughtBackAt, { time })}
      </p>
      {who && <p className="text-[1.125rem]/[1.625rem] wrap-anywhere">{who}</p>}
      <div className="mt-8 w-full max-w-96 animate-next-in rounded-[20px] bg-surface p-4 text-left text-ink">
        {following ? (
          <>
            <p className="flex flex-wrap items-baseline gap-x-3 text-body text-ink-2">
              {texts.next}
              <span className="text-section font-semibold text-ink figures">{dueText(following, now)}</span>
            </p>
            <p className="mt-1 text-[1.75rem]/[2rem] font-semibold tracking-[-0.03em] wrap-anywhere">
              {(following.recipientAddress ?? following.packageName).split(', ')[0]}
            </p>
          </>
        ) : (
          <p className="text-body font-medium">{texts.lastDelivered}</p>
        )}
      </div>
      <p className="mt-6 flex items-center gap-2 text-body">
        <ArrowRight className="size-5" />
        {texts.goOn}
      </p>
    </div>
  );
}
