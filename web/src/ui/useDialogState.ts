import { useState } from 'react';

/** Which dialog stands open, and about what. What was shown stays while it closes, so that nothing vanishes under the animation. */
export function useDialogState<T>() {
  const [state, setState] = useState<{ shown: T | null; open: boolean; opening: number }>({
    shown: null,
    open: false,
    opening: 0,
  });
  return {
    ...state,
    /** `opening` counts up, for a `key` that gives every opening a fresh form. */
    show: (shown: T) => setState(({ opening }) => ({ shown, open: true, opening: opening + 1 })),
    close: () => setState((before) => ({ ...before, open: false })),
  };
}
