import type { RouterHistory } from '@tanstack/react-router';
import { onSessionChange } from '../platform/session.ts';
import { createStore } from '../platform/store.ts';
import { hasUnsavedChanges } from '../platform/unsaved-changes.ts';

/** Answers the question whether to leave, while it is asked. */
export const leavePrompt = createStore<((leave: boolean) => void) | null>(null);

/** Whether the page may be left: at once when nothing would be lost, else after asking. */
export async function confirmLeave(): Promise<boolean> {
  if (!hasUnsavedChanges()) return true;
  leavePrompt.get()?.(false);
  const leave = await new Promise<boolean>((answer) => leavePrompt.set(answer));
  leavePrompt.set(null);
  return leave;
}

/** Called once, at the start: no link, no Back and no closed tab loses what was typed unasked. */
export function guardNavigation(history: RouterHistory): void {
  history.block({
    enableBeforeUnload: hasUnsavedChanges,
    // Filters and tabs change the address of a page that stays.
    blockerFn: async ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !(await confirmLeave()),
  });
  // A session that ends meanwhile leads away by itself.
  onSessionChange(() => {
    if (!hasUnsavedChanges()) leavePrompt.get()?.(true);
  });
}
