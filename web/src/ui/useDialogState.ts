import { useState } from 'react';

/**
 * The open dialog and its subject. The subject stays set while the dialog closes, so that its content does not vanish during
 * the animation.
 */
export function useDialogState<T>() {
  const [state, setState] = useState<{ shown: T | null; open: boolean; opening: number }>({
    shown: null,
    open: false,
    opening: 0,
  });
  return {
    ...state,
    /** Increments `opening`: as the dialog's `key` it gives every opening a fresh form. */
    show: (shown: T) => setState(({ opening }) => ({ shown, open: true, opening: opening + 1 })),
    close: () => setState((before) => ({ ...before, open: false })),
  };
}
