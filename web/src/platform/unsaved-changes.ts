import { useCallback, useEffect, useState } from 'react';
import { getSession } from './session.ts';

/** Forms on the screen that hold what is not saved yet, each with the user who typed it. */
const unsaved = new Map<symbol, string | null>();

const presentUser = () => getSession().user?.id ?? null;

/** Whether leaving the page would lose something. What belongs to a session that has ended is not asked about: there is nobody to ask. */
export const hasUnsavedChanges = (): boolean => [...unsaved.values()].includes(presentUser());

/** Makes leaving the page ask first while a form is dirty. Call what it returns once all is saved, before leading away. */
export function useUnsavedChanges(dirty: boolean): () => void {
  const [form] = useState(() => Symbol('form'));
  useEffect(() => {
    if (!dirty) return;
    unsaved.set(form, presentUser());
    return () => void unsaved.delete(form);
  }, [dirty, form]);
  return useCallback(() => void unsaved.delete(form), [form]);
}
