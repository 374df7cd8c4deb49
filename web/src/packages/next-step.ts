import type { Package } from '@waybill/contract';
import { nameOfDay } from './arrival.ts';

type Waiting = Pick<Package, 'nextStep' | 'returnDue' | 'attempts' | 'failedAttempt' | 'status'>;

/** It waits after a failed attempt: its owner can decide what happens next. */
export const waitsAfterAttempt = ({ failedAttempt, status }: Waiting): boolean =>
  failedAttempt !== null && status === 'processing';

/** What happens after a failed attempt, as a headline and the sentence under it. */
export function nextStepWords(
  { nextStep, returnDue, attempts }: Waiting,
  now: Date | null,
): { headline: string; detail: string } {
  if (nextStep?.kind === 'collect')
    return { headline: 'It waits to be collected', detail: 'It is handed over at the depot. No driver takes it.' };
  if (returnDue)
    return {
      headline: 'It goes back to the sender',
      detail:
        nextStep?.kind === 'return'
          ? 'A driver brings it to the return address.'
          : `It was tried ${attempts === 1 ? 'once' : `${attempts} times`}. A driver brings it to the return address, unless something else is chosen.`,
    };
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
