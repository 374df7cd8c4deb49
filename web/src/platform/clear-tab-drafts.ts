/** The session storage key of the drafts that survive a reload; all of them belong to one user. */
export const tabDraftsKey = 'drafts';

/** Deletes the tab's drafts on sign-out, or when another user signs in: nobody may see what the previous user typed. */
export function clearTabDrafts(exceptUserId: string | null): void {
  try {
    const stored = sessionStorage.getItem(tabDraftsKey);
    if (stored && !(exceptUserId && stored.includes(exceptUserId))) sessionStorage.removeItem(tabDraftsKey);
  } catch {
    // Blocked storage holds no drafts.
  }
}
