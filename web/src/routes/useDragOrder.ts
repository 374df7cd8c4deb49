import { useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import { moved } from './stop-order.ts';

/** This close to an edge of the screen a drag scrolls it. */
const edgePixels = 96;
const scrollPixels = 14;

/** Ordering the rows of a list by dragging a handle, with a finger, a pen or a mouse. The list holds the rows and nothing else. */
export function useDragOrder(order: string[], onOrder: (order: string[]) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);

  const placeAt = (y: number): number => {
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const below = rows.findIndex(({ top, height }) => y < top + height);
    return below < 0 ? rows.length - 1 : below;
  };
  const move = (id: string, event: PointerEvent) => {
    if (dragged !== id) return;
    if (event.clientY < edgePixels) scrollBy(0, -scrollPixels);
    else if (event.clientY > innerHeight - edgePixels) scrollBy(0, scrollPixels);
    const to = placeAt(event.clientY);
    if (order.indexOf(id) !== to) onOrder(moved(order, id, to));
  };
  const end = () => setDragged(null);
  const handleOf = (id: string) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragged(id);
    },
    onPointerMove: (event: PointerEvent) => move(id, event),
    onPointerUp: end,
    onPointerCancel: end,
    onLostPointerCapture: end,
  });
  return { list, dragged, handleOf };
}
