import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Fragment, useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { classes } from './classes.ts';
import { dialogBackdropClasses } from './dialog-classes.ts';
import { Keys } from './Keys.tsx';
import { Spinner } from './Spinner.tsx';

export interface PaletteItem {
  id: string;
  /** Consecutive items of a group are shown under its name. */
  group: string;
  label: string;
  /** Small text after the label; `isCode`: it is a tracking ID. */
  detail?: string;
  isCode?: boolean;
  icon: LucideIcon;
  /** The shortcut of the same action. */
  keys?: string;
}

interface PaletteProps<Item extends PaletteItem> {
  label: string;
  placeholder: string;
  items: readonly Item[];
  typed: string;
  onType: (typed: string) => void;
  /** Called when the input has the focus. */
  onFocus: () => void;
  /** More items are being fetched. */
  searching: boolean;
  /** The error messages of failed searches. */
  failures: readonly string[];
  onChoose: (item: Item) => void;
  onClose: () => void;
}

/** A combobox in a dialog: typing filters the list, arrow keys and Enter choose. The focus stays in the input. */
export function Palette<Item extends PaletteItem>({
  label,
  placeholder,
  items,
  typed,
  onType,
  onFocus,
  searching,
  failures,
  onChoose,
  onClose,
}: PaletteProps<Item>) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const chosen = useRef(false);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  // The selected item may have been filtered out: then the first is selected.
  const activeIndex = Math.max(
    items.findIndex(({ id }) => id === selectedId),
    0,
  );
  const active = items[activeIndex];
  const optionId = (item: PaletteItem) => `${listId}-${item.id}`;
  const activeId = active && optionId(active);

  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const choose = (item: Item) => {
    chosen.current = true;
    onChoose(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setSelectedId(items.at((activeIndex + step) % items.length)?.id ?? null);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing && active) choose(active);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={classes(dialogBackdropClasses, 'z-40')} />
        <Dialog.Popup
          initialFocus={input}
          // After a choice do not restore the focus: navigation moves it to the new page.
          finalFocus={() => !chosen.current}
          aria-label={label}
          className="fixed inset-x-3 top-[max(0.75rem,8dvh)] z-50 mx-auto flex max-h-[min(28rem,80dvh)] max-w-[36rem] flex-col overflow-hidden rounded-sheet bg-surface text-ink shadow-float outline-none"
        >
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Search aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
            <input
              ref={input}
              role="combobox"
              aria-label={label}
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={activeId}
              aria-autocomplete="list"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="go"
              maxLength={120}
              placeholder={placeholder}
              value={typed}
              onFocus={onFocus}
              onChange={(event) => {
                setSelectedId(null);
                onType(event.target.value);
              }}
              onKeyDown={onKeyDown}
              className="min-h-14 w-full min-w-0 bg-transparent text-body outline-none placeholder:text-ink-3"
            />
            {searching && <Spinner size="sm" />}
          </div>
          <div
            id={listId}
            role="listbox"
            aria-label={label}
            tabIndex={-1}
            className="min-h-0 overflow-y-auto overscroll-contain p-2 outline-none"
          >
            {items.map((item, index) => (
              <Fragment key={item.id}>
                {item.group !== items[index - 1]?.group && (
                  <p aria-hidden="true" className="px-3 pt-3 pb-1.5 text-meta font-medium text-ink-3 first:pt-1">
                    {item.group}
                  </p>
                )}
                {/* The keyboard is handled by the input. */}
                {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
                <div
                  id={optionId(item)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={item === active}
                  onClick={() => choose(item)}
                  onPointerMove={() => setSelectedId(item.id)}
                  className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 text-ui select-none aria-selected:bg-sunken"
                >
                  <item.icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
                  <span className="min-w-0 grow wrap-anywhere">
                    <span className="font-medium">{item.label}</span>
                    {item.detail && (
                      <span className={classes('ml-2 text-table text-ink-3', item.isCode && 'code')}>
                        {item.detail}
                      </span>
                    )}
                    <span className="sr-only"> {item.group}</span>
                  </span>
                  {item.keys && (
                    <span aria-hidden="true" className="max-md:hidden">
                      <Keys keys={item.keys} />
                    </span>
                  )}
                </div>
              </Fragment>
            ))}
          </div>
          {failures.length > 0 && (
            <div role="alert" className="border-t border-line px-5 py-3 text-ui text-danger">
              {failures.map((failure) => (
                <p key={failure}>{failure}</p>
              ))}
            </div>
          )}
          {items.length === 0 && failures.length === 0 && (
            <p className="px-5 pb-6 text-center text-ui text-ink-2">{searching ? 'Searching…' : 'Nothing found'}</p>
          )}
          <p role="status" className="sr-only">
            {items.length === 0 ? 'Nothing found' : `${items.length} to choose from`}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
