import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Answers everybody who asks the same at about the same time with one read. Nobody gets an answer whose read began before they asked, so
 * each sees their own changes: while one is under way, all who ask wait for the next. The first one begins at once, further ones `everyMs`
 * later at the earliest.
 */
export function shareReads<Answer>(read: () => Promise<Answer>, everyMs = 20): () => Promise<Answer> {
  let free: Promise<unknown> = Promise.resolve();
  let next: Promise<Answer> | null = null;
  return () => {
    next ??= free.then(() => {
      next = null;
      const answer = read();
      free = Promise.allSettled([answer, sleep(everyMs, undefined, { ref: false })]);
      return answer;
    });
    return next;
  };
}
