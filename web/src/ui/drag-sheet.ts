interface SheetDrag {
  /** Where it may rest: how far it is pushed down from its widest place, in px, ascending. Asked once the drag has begun. */
  points: () => readonly number[];
  /** The index of the point where it rests now. */
  at: number;
  sheet: () => HTMLElement | null;
  /** The pointer has moved far enough: afterwards the sheet must be in the document. */
  onStart?: () => void;
  /** It has come to rest at a point. `false`: it goes away there, and keeps its place until then. */
  onSettled: (at: number) => boolean;
}

/** Less is a tap. */
const thresholdPixels = 6;
/** A flick counts as if it went on for this time. */
const flickMs = 320;
/** As long as the other sheets take, see --animate-sheet-in. */
const settleMs = 240;

/** The point where a sheet comes to rest that is let go at `offset` with a speed in px a millisecond, downwards positive. */
export function restOf(offset: number, speed: number, points: readonly number[]): number {
  const target = offset + speed * flickMs;
  const distances = points.map((point) => Math.abs(point - target));
  return distances.indexOf(Math.min(...distances));
}

/**
 * Drags a sheet up and down, from a pointer that goes down on its head, which needs `touch-action: none`. Escape puts it back. Dragging
 * is never the only way: a button does the same.
 */
export function dragSheet(down: PointerEvent, { points, at, sheet, onStart, onSettled }: SheetDrag): void {
  let dragged: { element: HTMLElement; places: readonly number[] } | null = null;
  let offset = 0;
  let last = { y: down.clientY, time: down.timeStamp, speed: 0 };

  const stop = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', back);
    removeEventListener('keydown', escape, true);
  };
  const settle = (to: number) => {
    stop();
    if (!dragged) return;
    const { element, places } = dragged;
    const target = places[to] ?? 0;
    const moves = target !== offset && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.style.transition = moves ? `translate ${settleMs}ms var(--ease-calm)` : 'none';
    element.style.translate = `0 ${target}px`;
    setTimeout(
      () => {
        if (!onSettled(to)) return;
        element.style.transition = '';
        element.style.translate = '';
      },
      moves ? settleMs : 0,
    );
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    const way = event.clientY - down.clientY;
    if (!dragged) {
      if (Math.abs(way) < thresholdPixels) return;
      onStart?.();
      const element = sheet();
      if (!element) return stop();
      dragged = { element, places: points() };
      element.style.transition = 'none';
      getSelection()?.removeAllRanges();
    }
    const { element, places } = dragged;
    offset = Math.min(Math.max((places[at] ?? 0) + way, places[0] ?? 0), places.at(-1) ?? 0);
    element.style.translate = `0 ${offset}px`;
    const time = event.timeStamp - last.time;
    if (time > 0) last = { y: event.clientY, time: event.timeStamp, speed: (event.clientY - last.y) / time };
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    if (!dragged) return stop();
    // The click that follows would open what was dragged.
    const swallow = (click: MouseEvent) => {
      click.preventDefault();
      click.stopPropagation();
    };
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }));
    const stoodStill = event.timeStamp - last.time > 80;
    settle(restOf(offset, stoodStill ? 0 : last.speed, dragged.places));
  };
  const back = () => settle(at);
  const escape = (key: KeyboardEvent) => {
    if (key.key !== 'Escape' || !dragged) return;
    key.stopPropagation();
    back();
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', back);
  addEventListener('keydown', escape, true);
}
