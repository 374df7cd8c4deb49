import type { Package } from '@waybill/contract';
import { nameOfDay } from './arrival.ts';

type Waiting = Pick<Package, 'nextStep' | 'returnDue' | 'returnTo' | 'attempts' | 'failedAttempt' | 'status'>;

/** It waits after a failed attempt: its owner can decide what happens next. */
export const waitsAfterAttempt = ({ failedAttempt, status }: Waiting): boolean =>
  failedAttempt !== null && status === 'processing';

/** What happens after a failed attempt, as a headline and the sentence under it. @param owns it is read by its owner */
export function nextStepWords(
  { nextStep, returnDue, returnTo, attempts }: Waiting,
  { now, owns }: { now: Date | null; owns: boolean },
): { headline: string; detail: string } {
  if (nextStep?.kind === 'collect')
    return { headline: 'It waits to be collected', detail: 'It is handed over at the depot. No driver takes it.' };
  if (returnDue) {
    const tried = nextStep?.kind === 'return' ? '' : `It was tried ${attempts === 1 ? 'once' : `${attempts} times`}. `;
    const brought = returnTo
      ? `A driver brings it to ${returnTo.address}${tried && ', unless something else is chosen'}.`
      : owns
        ? 'No driver can bring it before you enter a return address in your account.'
        : 'No driver can bring it before its sender has entered a return address.';
    return { headline: owns ? 'It comes back to you' : 'It goes back to the sender', detail: tried + brought };
  }
  if (nextStep?.day)
    return {
      headline: `Another attempt ${onDay(nextStep.day, now)}`,
      detail: 'A driver tries it again then.',
    };
  return { headline: 'Another attempt follows', detail: 'A driver tries it again as soon as possible.' };
}

/** 'tomorrow', 'on Tuesday, 24 November' */
export function onDay(day: string, now: Date | null): string {
  const name = nameOfDay(day, { now });
  return /^(today|tomorrow|yesterday)$/.test(name) ? name : `on ${name}`;
}
