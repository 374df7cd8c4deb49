import type { RouterHistory } from '@tanstack/react-router';
import { onSessionChange } from '../platform/session.ts';
import { createStore } from '../platform/store.ts';
import { hasUnsavedChanges } from '../platform/unsaved-changes.ts';

/** Resolves the open 'Leave this page?' dialog; null while none is open. */
export const leavePrompt = createStore<((leave: boolean) => void) | null>(null);

/** Whether the page may be left. Asks the user if there are unsaved changes. */
export async function confirmLeave(): Promise<boolean> {
  if (!hasUnsavedChanges()) return true;
  leavePrompt.get()?.(false);
  const leave = await new Promise<boolean>((resolve) => leavePrompt.set(resolve));
  leavePrompt.set(null);
  return leave;
}

/** Called once on start-up: links, Back and closing the tab ask before unsaved changes are lost. */
export function guardNavigation(history: RouterHistory): void {
  history.block({
    enableBeforeUnload: hasUnsavedChanges,
    // Filters and tabs change only the query string: the page stays mounted.
    blockerFn: async ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !(await confirmLeave()),
  });
  // If the session ends while the dialog is open, there is nothing left to save: leave.
  onSessionChange(() => {
    if (!hasUnsavedChanges()) leavePrompt.get()?.(true);
  });
}
