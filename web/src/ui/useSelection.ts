import { useState } from 'react';

/** The rows that are ticked in a list. */
export interface Selection {
  /** How many are selected; all that match: their number, which the server counts. */
  count: number;
  /** Everything that matches the filters is selected, loaded or not. */
  all: boolean;
  has: (id: string) => boolean;
  /** Ticks or unticks a row; with `range` all rows from the one before. */
  toggle: (id: string, range?: boolean) => void;
  /** Selects all loaded rows, or none if they all are. */
  toggleLoaded: () => void;
  selectAll: () => void;
  clear: () => void;
}

interface State {
  scope: string;
  ids: ReadonlySet<string>;
  all: boolean;
  last: string | null;
}

/**
 * @param loaded the ids of the loaded rows, as they are shown
 * @param total how many rows match; null if unknown
 * @param scope what the list is filtered by: another one clears the selection
 */
export function useSelection(loaded: readonly string[], total: number | null, scope: string): Selection {
  const empty: State = { scope, ids: new Set(), all: false, last: null };
  const [state, setState] = useState(empty);
  const { ids, all, last } = state.scope === scope ? state : empty;
  // A row that has left the list, because it was deleted or no longer matches, is no longer selected.
  const selected = all ? [...loaded] : loaded.filter((id) => ids.has(id));
  const set = (next: Iterable<string>, from: string | null = null) =>
    setState({ scope, ids: new Set(next), all: false, last: from });
  return {
    count: all ? Math.max(total ?? 0, loaded.length) : selected.length,
    all,
    has: (id) => all || ids.has(id),
    toggle(id, range = false) {
      const next = new Set(selected);
      const ticks = !next.has(id);
      const from = range && last !== null ? loaded.indexOf(last) : -1;
      const to = loaded.indexOf(id);
      const chosen = from < 0 ? [id] : loaded.slice(Math.min(from, to), Math.max(from, to) + 1);
      for (const one of chosen) {
        if (ticks) next.add(one);
        else next.delete(one);
      }
      set(next, id);
    },
    toggleLoaded: () => set(selected.length === loaded.length ? [] : loaded),
    selectAll: () => setState({ scope, ids: new Set(loaded), all: true, last: null }),
    clear: () => set([]),
  };
}
