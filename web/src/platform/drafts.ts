import { useEffect, useRef, useState } from 'react';
import { getSession } from './session.ts';
import { findTabDraft, saveTabDraft } from './tab-drafts.ts';

// A session that ends by itself takes the page away. What was typed waits here, in memory only and without passwords,
// until its user opens the same form again.
const drafts = new Map<string, { userId: string; typed: unknown }>();

/** What was typed into a form when its session ended under it, or its page was loaded anew. @param name of the form and what it is about: 'rating 0198…' */
export function findDraft(name: string): unknown {
  const userId = getSession().user?.id;
  if (userId === undefined) return null;
  const draft = drafts.get(name);
  return draft?.userId === userId ? draft.typed : findTabDraft(userId, name);
}

interface SaveDraftOptions {
  /** None: nothing is kept. */
  name: string | null;
  /** Null: there is nothing to keep. */
  typed: () => unknown;
  overReload: boolean;
}

/** Keeps what was typed if the session ends under the form, or if it says so when its page goes. */
export function useSaveDraft({ name, typed, overReload }: SaveDraftOptions): void {
  const [userId] = useState(() => getSession().user?.id);
  const latest = useRef(typed);
  useEffect(() => {
    latest.current = typed;
  });
  useEffect(() => {
    if (name === null || userId === undefined) return;
    // What was found is the form's from here on.
    drafts.delete(name);
    return () => {
      const { user, ended } = getSession();
      const kept = user === null && ended === 'by itself' ? latest.current() : null;
      if (kept !== null) drafts.set(name, { userId, typed: kept });
    };
  }, [name, userId]);
  useEffect(() => {
    if (name === null || userId === undefined || !overReload) return;
    saveTabDraft(userId, name, null);
    // Phones throw a hidden page away without another word.
    const write = () => getSession().user?.id === userId && saveTabDraft(userId, name, latest.current());
    addEventListener('pagehide', write);
    document.addEventListener('visibilitychange', write);
    return () => {
      removeEventListener('pagehide', write);
      document.removeEventListener('visibilitychange', write);
      saveTabDraft(userId, name, null);
    };
  }, [name, userId, overReload]);
}
