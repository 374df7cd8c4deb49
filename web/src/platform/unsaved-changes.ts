import { useCallback, useEffect, useState } from 'react';
import { getSession } from './session.ts';

/** Mounted forms with unsaved changes, each with the user who typed them. */
const dirtyForms = new Map<symbol, string | null>();

const currentUserId = () => getSession().user?.id ?? null;

/** Whether leaving the page would lose input. Forms of a session that has ended do not count: its user can no longer answer. */
export const hasUnsavedChanges = (): boolean => [...dirtyForms.values()].includes(currentUserId());

/** Asks for confirmation before leaving the page while a form is dirty. Call the returned function after saving, before navigating away. */
export function useUnsavedChanges(dirty: boolean): () => void {
  const [form] = useState(() => Symbol('form'));
  useEffect(() => {
    if (!dirty) return;
    dirtyForms.set(form, currentUserId());
    return () => void dirtyForms.delete(form);
  }, [dirty, form]);
  return useCallback(() => void dirtyForms.delete(form), [form]);
}
