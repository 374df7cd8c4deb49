import { cloneElement, useEffect, useId, useRef, useState } from 'react';
import type { ComponentPropsWithRef, KeyboardEvent, ReactElement, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { classes } from './classes.ts';

interface MenuProps {
  /** The button that opens it: a Button or IconButton. */
  trigger: ReactElement<ComponentPropsWithRef<'button'>>;
  align?: 'start' | 'end';
  /** Above the items, not selectable. */
  heading?: ReactNode;
  /** MenuItem elements. */
  children: ReactNode;
  /** Below the items: links and controls that are no menu items, reached by Tab. */
  footer?: ReactNode;
}

const gapPixels = 6;
const edgePixels = 8;

/**
 * A dropdown menu of actions, with arrow keys and type-ahead. The native popover does the rest: top layer, Escape, a click outside,
 * restoring the focus. (Base UI's menu does the same in 45 kB, and the header of every page has a menu.)
 */
export function Menu({ trigger, align = 'end', heading, children, footer }: MenuProps) {
  const popupId = useId();
  const triggerId = useId();
  const popup = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  // Only then are its items rendered: a list has a menu in each row.
  const [wasOpened, setWasOpened] = useState(false);

  const items = () => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled=true])') ?? []),
  ];
  const close = () => popup.current?.hidePopover();

  useEffect(() => {
    if (!open) return;
    // The menu does not follow its trigger, so it closes on scroll and resize.
    const hide = () => popup.current?.hidePopover();
    const box = popup.current;
    const hideAfterChoice = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a[href], [role=menuitem]:not([aria-disabled=true])')) hide();
    };
    const hideAfterLeaving = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !box?.contains(relatedTarget)) hide();
    };
    box?.addEventListener('click', hideAfterChoice);
    box?.addEventListener('focusout', hideAfterLeaving);
    addEventListener('scroll', hide, { capture: true, passive: true });
    addEventListener('resize', hide);
    return () => {
      box?.removeEventListener('click', hideAfterChoice);
      box?.removeEventListener('focusout', hideAfterLeaving);
      removeEventListener('scroll', hide, { capture: true });
      removeEventListener('resize', hide);
    };
  }, [open]);

  const updatePosition = () => {
    const anchor = document.getElementById(triggerId)?.getBoundingClientRect();
    const box = popup.current;
    if (!anchor || !box) return;
    const below = anchor.bottom + gapPixels + box.offsetHeight <= innerHeight || anchor.top < innerHeight / 2;
    box.style.top = below ? `${anchor.bottom + gapPixels}px` : 'auto';
    box.style.bottom = below ? 'auto' : `${innerHeight - anchor.top + gapPixels}px`;
    // Aligned with its trigger, but kept within the viewport.
    const preferred = align === 'start' ? anchor.left : anchor.right - box.offsetWidth;
    const maxLeft = document.documentElement.clientWidth - box.offsetWidth - edgePixels;
    box.style.left = `${Math.max(edgePixels, Math.min(preferred, maxLeft))}px`;
  };

  const moveFocus = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const next = nextItem(event.key, all, at);
    if (event.key === 'Tab' && (!footer || event.shiftKey)) close();
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <>
      {cloneElement(trigger, { id: triggerId, popoverTarget: popupId, 'aria-haspopup': 'menu', 'aria-expanded': open })}
      <div
        ref={popup}
        id={popupId}
        popover="auto"
        onBeforeToggle={(event) => {
          if (event.newState === 'open' && !wasOpened) flushSync(() => setWasOpened(true));
        }}
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setOpen(opened);
          if (!opened) return;
          updatePosition();
          items()[0]?.focus({ preventScroll: true });
        }}
        className={classes(
          'inset-auto m-0 max-h-[80dvh] w-max max-w-[calc(100vw-1rem)] min-w-48 overflow-y-auto rounded-card border-0 bg-surface p-1 text-ink shadow-float',
          'transition-opacity duration-180 ease-calm starting:open:opacity-0',
        )}
      >
        {heading && <div className="mb-1 border-b border-line px-3 pt-1.5 pb-2.5">{heading}</div>}
        <div ref={list} role="menu" tabIndex={-1} aria-labelledby={triggerId} onKeyDown={moveFocus}>
          {wasOpened && children}
        </div>
        {footer}
      </div>
    </>
  );
}

/** The item that a key moves to. Arrow keys wrap around; a letter goes to the next item that starts with it. */
function nextItem(key: string, all: HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return all[(at + 1) % all.length];
  if (key === 'ArrowUp') return all.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const fromHere = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return fromHere.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}
