import { useRouter, useRouterState } from '@tanstack/react-router';
import type { HistoryState } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry before it is the same list without the panel. */
    openedHere?: boolean;
  }
}

interface Step {
  replace: boolean;
  state?: (before: HistoryState) => HistoryState;
}

/**
 * Opens and closes the row that the URL names. Opening adds an entry to the history, another row replaces it, and closing goes back to the
 * entry from which it was opened; a row that came with the link is only closed.
 * @param go writes the id, or none, to the URL
 */
export function useOpenRow(go: (id: string | undefined, step: Step) => void) {
  const { history } = useRouter();
  const openedHere = useRouterState({ select: ({ location }) => location.state.openedHere === true });
  return {
    open: (id: string, replace: boolean) =>
      go(id, {
        replace,
        state: (before) => ({ ...before, openedHere: !replace || before.openedHere === true }),
      }),
    close: () => (openedHere ? history.back() : go(undefined, { replace: true })),
  };
}
