import { expect, test } from 'vitest';
import { nextStepWords } from './next-step.ts';

const waiting = { nextStep: null, returnDue: true, attempts: 3, failedAttempt: null, status: 'processing' } as const;
const returnTo = { address: 'Am Kai 3, 20457 Hamburg', place: null };

test('what goes back after its last attempt says to whom and where, and what is missing for it', () => {
  const owner = { now: null, owns: true };
  expect(nextStepWords({ ...waiting, returnTo }, owner)).toEqual({
    headline: 'It comes back to you',
    detail: 'It was tried 3 times. A driver brings it to Am Kai 3, 20457 Hamburg, unless something else is chosen.',
  });
  expect(nextStepWords(waiting, owner).detail).toContain('before you enter a return address');
  const staff = { now: null, owns: false };
  expect(nextStepWords(waiting, staff)).toEqual({
    headline: 'It goes back to the sender',
    detail: 'It was tried 3 times. No driver can bring it before its sender has entered a return address.',
  });
  const chosen = { ...waiting, nextStep: { kind: 'return', day: null } } as const;
  expect(nextStepWords({ ...chosen, returnTo }, staff).detail).toBe('A driver brings it to Am Kai 3, 20457 Hamburg.');
});
