import { useEffect, useRef, useState } from 'react';
import { getSession } from './session.ts';

// A session that ends by itself takes the page away. What was typed waits here, in memory only and without passwords,
// until its user opens the same form again.
const drafts = new Map<string, { userId: string; typed: unknown }>();

/** What was typed into a form when its session ended under it. @param name of the form and what it is about: 'rating 0198…' */
export function findDraft(name: string): unknown {
  const draft = drafts.get(name);
  return draft && draft.userId === getSession().user?.id ? draft.typed : null;
}

/** Keeps what `typed` gives if the session ends under the form; null is nothing to keep, and so is a form without a name. */
export function useKeepDraft(name: string | null, typed: () => unknown): void {
  const [userId] = useState(() => getSession().user?.id);
  const latest = useRef(typed);
  useEffect(() => {
    latest.current = typed;
  });
  useEffect(
    () => () => {
      if (name === null) return;
      const { user, ended } = getSession();
      const kept = user === null && ended === 'by itself' ? latest.current() : null;
      if (kept !== null && userId !== undefined) drafts.set(name, { userId, typed: kept });
      else drafts.delete(name);
    },
    [name, userId],
  );
}
