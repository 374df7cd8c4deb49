/** Where drafts stand that outlive a reload: in the tab's own storage, all of one user. */
export const tabDraftsKey = 'drafts';

/** At a sign-out, or when somebody else comes: what the one before has typed is nobody's business. */
export function clearTabDrafts(exceptOf: string | null): void {
  try {
    const kept = sessionStorage.getItem(tabDraftsKey);
    if (kept && !(exceptOf && kept.includes(exceptOf))) sessionStorage.removeItem(tabDraftsKey);
  } catch {
    // Storage that is blocked has kept nothing.
  }
}
