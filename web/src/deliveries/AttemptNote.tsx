import { fill } from '@waybill/contract';
import { RotateCcw } from 'lucide-react';
import { failureText } from './failure-text.ts';
import { texts } from './texts.ts';

interface AttemptNoteProps {
  /** From 2. */
  attempt: number;
  /** What the driver said who came last. */
  lastFailure: string | null;
}

/** Which attempt a stop is, and why the last one failed. */
export const AttemptNote = ({ attempt, lastFailure }: AttemptNoteProps) => (
  <p className="strip flex items-start gap-2.5 rounded-card bg-yellow-bg px-3 py-2.5 text-body text-yellow-ink wrap-anywhere">
    <RotateCcw aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
    <span>
      <span className="font-semibold">{fill(texts.attempt, { number: attempt })}</span>
      {lastFailure !== null && (
        <span className="block">{fill(texts.lastTime, { reason: failureText(lastFailure) })}</span>
      )}
    </span>
  </p>
);
