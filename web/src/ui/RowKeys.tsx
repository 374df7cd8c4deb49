import { useEffect, useEffectEvent } from 'react';
import type { RefObject } from 'react';
import { Keys } from './Keys.tsx';

interface RowKeysProps {
  table: RefObject<HTMLTableElement | null>;
  openId: string | undefined;
  onOpen: ((id: string, replace: boolean) => void) | undefined;
  /** Rows can be selected. */
  selects: boolean;
}

/**
 * The keys of a table's rows, drawn where they work: j and k move the focus, Enter follows the focused link, x ticks, Escape goes back
 * from the panel to its row. Each is a button with `aria-keyshortcuts`, which is what the sheet of shortcuts lists and the key presses.
 */
export function RowKeys({ table, openId, onOpen, selects }: RowKeysProps) {
  const rows = () => [...(table.current?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])];
  const current = () => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-row]');
    return focused && table.current?.contains(focused) ? focused : rows().find((row) => row.dataset.row === openId);
  };
  const move = (step: 1 | -1) => {
    const all = rows();
    const at = current();
    const next = at ? all[all.indexOf(at) + step] : all[0];
    if (!next) return;
    (next.querySelector<HTMLElement>('[data-row-link]') ?? next.querySelector('input'))?.focus();
    // While a package is open, the panel follows.
    if (openId !== undefined && next.dataset.row !== undefined) onOpen?.(next.dataset.row, true);
  };
  const tick = () => current()?.querySelector('input')?.click();

  // After closing the panel the focus is on the row that was open.
  const returnFocus = useEffectEvent((id: string) => {
    const focused = document.activeElement;
    if (focused && focused !== document.body && focused.id !== 'main') return;
    rows()
      .find((row) => row.dataset.row === id)
      ?.querySelector<HTMLElement>('[data-row-link]')
      ?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (openId === undefined) return;
    return () => returnFocus(openId);
  }, [openId]);

  const keys = [
    { key: 'j', label: 'Next row', word: 'next', run: () => move(1) },
    { key: 'k', label: 'Previous row', word: 'previous', run: () => move(-1) },
    ...(onOpen
      ? [
          {
            key: 'Enter',
            label: 'Open row',
            word: 'open',
            run: () => current()?.querySelector<HTMLElement>('[data-row-link]')?.click(),
          },
        ]
      : []),
    ...(selects ? [{ key: 'x', label: 'Select row', word: 'select', run: tick }] : []),
  ];
  return (
    <div className="ml-auto flex shrink-0 gap-3 px-5 py-1.5 text-meta text-ink-3 max-md:hidden pointer-coarse:hidden print:hidden">
      {keys.map(({ key, label, word, run }) => (
        <span key={key} className="flex items-center gap-1.5">
          <button
            type="button"
            tabIndex={-1}
            aria-keyshortcuts={key}
            aria-label={label}
            title={label}
            // The focus stays in its row.
            onMouseDown={(event) => event.preventDefault()}
            onClick={run}
            className="rounded-[4px] hover:bg-sunken"
          >
            <Keys keys={key} />
          </button>
          {/* Beside the button: its name is not its key and its word. */}
          <span aria-hidden="true">{word}</span>
        </span>
      ))}
    </div>
  );
}
