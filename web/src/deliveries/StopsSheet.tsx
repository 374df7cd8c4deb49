import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { usePreload } from '../platform/lazy-component.tsx';
import { classes } from '../ui/classes.ts';
import { loadDrag, startDrag } from '../ui/start-drag.ts';
import { texts } from './texts.ts';

/** How much of the driver's lists is seen over the stop in view; the peek is the line at the end of the stop itself. */
const snaps = ['full', 'half', 'peek'] as const;
type Snap = (typeof snaps)[number];

/** Marks the line at the end of the stop. */
const peekSelector = '.peek';

/**
 * The place of the lists on a phone. Full, they are in the URL and take the whole page; half, they lie over the stop.
 * @param onFull shows them in full, or no more
 */
export function useStopsSheet(isFull: boolean, stopId: string | undefined, onFull: (full: boolean) => void) {
  const sheet = useRef<HTMLDivElement>(null);
  const [moving, setMoving] = useState(false);
  /** Until the URL says the same; half is not in it. */
  const [snap, setSnap] = useState<Snap | null>(null);
  /** Opened by hand: it does not slide in once more. */
  const [isDragged, setIsDragged] = useState(false);
  const [seen, setSeen] = useState({ isFull, stopId });
  if (seen.isFull !== isFull || seen.stopId !== stopId) {
    setSeen({ isFull, stopId });
    if (snap === null) setIsDragged(false);
    if (snap !== 'half' || isFull || seen.stopId !== stopId) setSnap(null);
  }
  const at = snap ?? (isFull ? 'full' : 'peek');
  usePreload(loadDrag);

  const moveTo = (next: Snap) => {
    setSnap(next);
    if ((next === 'full') !== isFull) onFull(next === 'full');
    if (next === 'peek') requestAnimationFrame(() => document.querySelector<HTMLElement>(peekSelector)?.focus());
  };
  const smaller = () => moveTo(snaps[snaps.indexOf(at) + 1] ?? 'peek');
  const larger = () => moveTo(snaps[snaps.indexOf(at) - 1] ?? 'full');

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || moving) return;
    const down = event.nativeEvent;
    startDrag(({ dragSheet }) =>
      dragSheet(down, {
        at: snaps.indexOf(at),
        points: () => [0, innerHeight / 2, innerHeight - (document.querySelector(peekSelector)?.clientHeight ?? 64)],
        sheet: () => sheet.current,
        onStart() {
          const scrolled = at === 'full' ? scrollY : (sheet.current?.scrollTop ?? 0);
          flushSync(() => setMoving(true));
          sheet.current?.scrollTo(0, scrolled);
        },
        onSettled(index) {
          const scrolled = sheet.current?.scrollTop ?? 0;
          const next = snaps[index] ?? 'peek';
          flushSync(() => {
            setMoving(false);
            setIsDragged(next !== 'peek');
            moveTo(next);
          });
          if (next === 'full') scrollTo(0, scrolled);
          return true;
        },
      }),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    setIsDragged(false);
    if (event.key === 'ArrowUp') larger();
    else smaller();
  };
  return {
    at,
    moving,
    /** The stop is there: seen, or behind. */
    showsStop: at !== 'full' || moving,
    /** Of the line at the end of the stop. */
    peek: { onPointerDown, onKeyDown, draggable: false },
    sheet: { ref: sheet, at, moving, isDragged, onPointerDown, onKeyDown, onSmaller: smaller, onMove: moveTo },
  };
}

type StopsSheetProps = ReturnType<typeof useStopsSheet>['sheet'] & {
  /** Something is behind it. */
  hasStop: boolean;
  children: ReactNode;
};

/** The driver's lists as a sheet of two sizes over the stop; drawn by its head, or moved with the arrow keys and by taps. */
export function StopsSheet({
  ref,
  at,
  moving,
  isDragged,
  hasStop,
  onPointerDown,
  onKeyDown,
  onSmaller,
  onMove,
  children,
}: StopsSheetProps) {
  const handle = useRef<HTMLButtonElement>(null);
  const isHalf = at === 'half';
  const close = useEffectEvent(onSmaller);
  useEffect(() => {
    if (!isHalf) return;
    handle.current?.focus({ preventScroll: true });
    const closeOnEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (!document.querySelector('[role=dialog], [role=alertdialog], [popover]:popover-open')) close();
    };
    addEventListener('keydown', closeOnEscape);
    return () => removeEventListener('keydown', closeOnEscape);
  }, [isHalf]);
  const floats = moving || isHalf;
  return (
    <div
      ref={ref}
      className={classes(
        'stop-screen flex flex-col',
        floats
          ? 'fixed inset-x-0 bottom-0 z-30 overflow-y-auto overscroll-contain rounded-t-[20px] bg-canvas shadow-float'
          : 'grow',
        moving ? 'h-dvh' : isHalf && 'h-[50dvh]',
        !isDragged && !moving && 'animate-sheet-in',
      )}
    >
      {hasStop && (
        <div
          className="sticky top-0 z-10 flex shrink-0 touch-none justify-center bg-canvas"
          onPointerDown={onPointerDown}
        >
          <button
            ref={handle}
            type="button"
            aria-label={isHalf ? texts.allStops : texts.backToStop}
            aria-keyshortcuts="ArrowUp ArrowDown"
            onClick={() => onMove(isHalf ? 'full' : 'peek')}
            onKeyDown={onKeyDown}
            className="flex h-6 w-28 items-center justify-center pointer-coarse:h-8"
          >
            <span aria-hidden="true" className="h-1 w-9 rounded-full bg-control" />
          </button>
        </div>
      )}
      {children}
    </div>
  );
}
