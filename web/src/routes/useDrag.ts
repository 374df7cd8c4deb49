import { useEffect, useRef, useState } from 'react';
import type { PointerEvent as ReactPointerEvent } from 'react';
import type { Stop, WaitingPackage } from '@waybill/contract';

export interface Shown {
  /** The first line of what follows the pointer, and the second. */
  label: string;
  hint: string;
}

export type Dragged = Shown & ({ kind: 'row'; row: WaitingPackage } | { kind: 'stop'; stop: Stop; routeId: string });

/** Where it would be dropped: before the open stop that is there now (from 0); at the end of the route without `at`. */
export interface Place {
  routeId: string;
  at?: number;
}

interface Dragging<Item> {
  item: Item;
  x: number;
  y: number;
  over: Place | null;
}

/** Less is a click. */
const thresholdPixels = 6;
const edgePixels = 48;
/** In a frame, at the very edge. */
const stepPixels = 14;
/** The heads of the columns stay at the top of the box: the edge begins below them. */
const headPixels = 96;

function placeAt(x: number, y: number): Place | null {
  const target = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-route]');
  const routeId = target?.dataset.route;
  if (!target || routeId === undefined) return null;
  if (target.dataset.end !== undefined) return { routeId };
  const stops = [...target.querySelectorAll<HTMLElement>('[data-open-stop]')];
  const at = stops.findIndex((stop) => {
    const { top, height } = stop.getBoundingClientRect();
    return y < top + height / 2;
  });
  return { routeId, at: at < 0 ? stops.length : at };
}

/** How far a pointer has come into the edge of a box, from -1 at its beginning to 1 at its end; in a low box into the nearer one. */
function reach(at: number, from: number, to: number): number {
  const before = from + edgePixels - at;
  const after = at - (to - edgePixels);
  if (after > 0 && after >= before) return Math.min(1, after / edgePixels);
  return before > 0 ? -Math.min(1, before / edgePixels) : 0;
}

/** Scrolls what is under the pointer when it is at an edge; false where nothing moved. */
function scrollAtEdge(x: number, y: number): boolean {
  // Those of a dialog come last.
  const box = [...document.querySelectorAll('[data-columns]')].at(-1);
  const bounds = box?.getBoundingClientRect();
  if (!box || !bounds || x < bounds.left || y < bounds.top) return false;
  const { scrollLeft, scrollTop } = box;
  box.scrollLeft += stepPixels * reach(x, bounds.left, bounds.right);
  box.scrollTop += stepPixels * reach(y, bounds.top + headPixels, bounds.bottom);
  return box.scrollLeft !== scrollLeft || box.scrollTop !== scrollTop;
}

/**
 * Drags a waiting package or a stop onto a route, with the mouse, a pen, or a finger at the handle of a stop; elsewhere a finger scrolls.
 * Escape puts it back. `onDrop` is that of the render in which the drag began. Pointer events, because the drag and drop of HTML knows no touch.
 */
export function useDrag<Item extends Shown = Dragged>(onDrop: (item: Item, place: Place) => void) {
  const [dragging, setDragging] = useState<Dragging<Item> | null>(null);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const begin = (event: ReactPointerEvent, item: Item) => {
    const { target, button, pointerType } = event;
    if (button !== 0 || !(target instanceof Element)) return;
    const isHandle = target.closest('[data-grip]') !== null;
    if (pointerType === 'touch' && !isHandle) return;
    if (!isHandle && target.closest('input, label, a, select')) return;
    const from = { x: event.clientX, y: event.clientY };
    let isActive = false;
    let over: Place | null = null;
    let [lastX, lastY] = [from.x, from.y];
    let frame = 0;
    // Goes on as long as the pointer rests at an edge.
    const scroll = () => {
      frame = 0;
      if (!scrollAtEdge(lastX, lastY)) return;
      over = placeAt(lastX, lastY);
      setDragging({ item, x: lastX, y: lastY, over });
      frame = requestAnimationFrame(scroll);
    };
    const move = ({ clientX: x, clientY: y }: PointerEvent) => {
      if (!isActive && Math.hypot(x - from.x, y - from.y) < thresholdPixels) return;
      isActive = true;
      getSelection()?.removeAllRanges();
      [lastX, lastY] = [x, y];
      over = placeAt(x, y);
      setDragging({ item, x, y, over });
      if (frame === 0) frame = requestAnimationFrame(scroll);
    };
    const end = () => {
      stop.current = undefined;
      cancelAnimationFrame(frame);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', end);
      removeEventListener('keydown', escape, true);
      setDragging(null);
    };
    const up = () => {
      end();
      if (!isActive) return;
      // The click that follows would select what was dragged.
      const swallow = (click: MouseEvent) => click.stopPropagation();
      addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener('click', swallow, { capture: true }));
      if (over) onDrop(item, over);
    };
    const escape = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return;
      key.stopPropagation();
      end();
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', end);
    addEventListener('keydown', escape, true);
    stop.current = end;
  };
  return { dragging, begin };
}
export type Drag = ReturnType<typeof useDrag<Dragged>>;
