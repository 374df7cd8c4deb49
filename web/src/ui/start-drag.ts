import type { PointerEvent } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';

export const loadDrag = () => importWithRetry(() => import('./drag-sheet.ts'));

/** Runs a drag that begins with this event: its code is loaded, unless the finger is up again before it is there. */
export function startDrag(run: (drag: Awaited<ReturnType<typeof loadDrag>>) => void): void {
  let isOver = false;
  addEventListener('pointerup', () => (isOver = true), { once: true });
  void loadDrag()
    .then((drag) => {
      if (!isOver) run(drag);
    })
    // Without it buttons and keys do the same.
    .catch(() => undefined);
}

/**
 * Draws a sheet of a phone down by its head, to close it.
 * @param onClose false: it stays, because something is asked first
 */
export function drawDown(event: PointerEvent<HTMLElement>, sheet: HTMLElement | null, onClose: () => boolean): void {
  const { target, button, nativeEvent } = event;
  if (button !== 0 || !sheet || !matchMedia('(width < 48rem)').matches) return;
  if (target instanceof Element && target.closest('button, a, input')) return;
  startDrag(({ dragSheet }) =>
    dragSheet(nativeEvent, {
      at: 0,
      points: () => [0, sheet.clientHeight],
      sheet: () => sheet,
      onSettled: (at) => at === 0 || !onClose(),
    }),
  );
}
