import { useEffect, useRef, useState } from 'react';
import { getSession } from './session.ts';
import { findTabDraft, saveTabDraft } from './tab-drafts.ts';

// When a session ends without a sign-out, its page is unmounted. Form input is kept here, in memory only and without
// passwords, until the same user opens the same form again.
const drafts = new Map<string, { userId: string; typed: unknown }>();

/**
 * The form input of a session that ended, or of the page before a reload; null without one.
 * @param name form and subject: 'rating 0198…'
 */
export function findDraft(name: string): unknown {
  const userId = getSession().user?.id;
  if (userId === undefined) return null;
  const draft = drafts.get(name);
  return draft?.userId === userId ? draft.typed : findTabDraft(userId, name);
}

interface SaveDraftOptions {
  /** Null: no draft is saved. */
  name: string | null;
  /** The form's current input; null when there is nothing to save. */
  typed: () => unknown;
  /** Also saves to session storage, so that the draft survives a reload. */
  surviveReload: boolean;
}

/** Saves the form's input when the session ends while it is open; with `surviveReload` also when the page is hidden or unloaded. */
export function useSaveDraft({ name, typed, surviveReload }: SaveDraftOptions): void {
  const [userId] = useState(() => getSession().user?.id);
  const latest = useRef(typed);
  useEffect(() => {
    latest.current = typed;
  });
  useEffect(() => {
    if (name === null || userId === undefined) return;
    // From here on the form owns the input.
    drafts.delete(name);
    return () => {
      const { user, ended } = getSession();
      const draft = user === null && ended === 'invalidated' ? latest.current() : null;
      if (draft !== null) drafts.set(name, { userId, typed: draft });
    };
  }, [name, userId]);
  useEffect(() => {
    if (name === null || userId === undefined || !surviveReload) return;
    saveTabDraft(userId, name, null);
    // Phones discard a hidden page without any further event, so save on `visibilitychange` too.
    const save = () => getSession().user?.id === userId && saveTabDraft(userId, name, latest.current());
    addEventListener('pagehide', save);
    document.addEventListener('visibilitychange', save);
    return () => {
      removeEventListener('pagehide', save);
      document.removeEventListener('visibilitychange', save);
      saveTabDraft(userId, name, null);
    };
  }, [name, userId, surviveReload]);
}
