import { useEffect, useRef, useState } from 'react';
import { isSame } from './is-same.ts';
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

export interface Draft<T> {
  values: T;
  change: (part: Partial<T>) => void;
  /** Differs from what the form began with, or saved last. */
  dirty: boolean;
  /** What is there now has been saved; `after` is what the form shows of it. */
  saved: (after?: Partial<T>) => void;
}

/** The fields of a form as one value that outlives its session. A dialog says whether it is open: what is closed is done with. */
export function useDraft<T extends object>(name: string, initial: T, open = true): Draft<T> {
  const [base, setBase] = useState(initial);
  // What is kept under a form's name was typed into that form.
  const [values, setValues] = useState(() => (findDraft(name) as T | null) ?? initial);
  const dirty = !isSame(values, base);
  useKeepDraft(name, () => (open && dirty ? values : null));
  return {
    values,
    change: (part) => setValues((before) => ({ ...before, ...part })),
    dirty,
    saved(after) {
      const now = { ...values, ...after };
      setValues(now);
      setBase(now);
    },
  };
}
