import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Answers everybody who asks the same at about the same time with one read. Nobody gets an answer whose read began before they asked, so
 * each sees their own changes: while one is under way, all who ask wait for the next. After an answer that several waited for the next read begins
 * `everyMs` after it at the earliest, so that a crowd shares few reads. Who asks alone never waits for that.
 */
export function shareReads<Answer>(read: () => Promise<Answer>, everyMs = 20): () => Promise<Answer> {
  let free: Promise<unknown> = Promise.resolve();
  let next: { answer: Promise<Answer>; askers: number } | null = null;
  return () => {
    if (next) {
      next.askers++;
      return next.answer;
    }
    const mine = {
      askers: 1,
      answer: free.then(() => {
        next = null;
        const answer = read();
        const pause = mine.askers > 1 ? sleep(everyMs, undefined, { ref: false }) : null;
        free = Promise.allSettled([answer, pause]);
        return answer;
      }),
    };
    next = mine;
    return mine.answer;
  };
}
