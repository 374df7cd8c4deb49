import { useEffect, useRef } from 'react';
import type { MouseEvent, PointerEvent } from 'react';
import { vibrate } from '../platform/vibrate.ts';

/** As long as the systems of phones wait. */
const pressMs = 500;
/** A finger that moves more scrolls. */
const tolerancePixels = 10;

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('button:not([data-row-link]), input') !== null;

/** A long press by touch on one of several elements; the click that ends it is swallowed. */
export function useLongPress(onPress: (id: string) => void) {
  const state = useRef({ timer: 0, x: 0, y: 0, isTouch: false, pressed: false });
  const cancel = () => clearTimeout(state.current.timer);
  useEffect(() => {
    const { current } = state;
    return () => clearTimeout(current.timer);
  }, []);
  const fire = (id: string) => {
    cancel();
    if (state.current.pressed) return;
    state.current.pressed = true;
    vibrate(10);
    onPress(id);
  };
  return {
    /** Whether the latest press was by touch. */
    isTouch: () => state.current.isTouch,
    handlersOf: (id: string) => ({
      onPointerDown(event: PointerEvent) {
        cancel();
        const now = state.current;
        Object.assign(now, {
          x: event.clientX,
          y: event.clientY,
          isTouch: event.pointerType === 'touch',
          pressed: false,
        });
        if (!now.isTouch || isControl(event.target)) return;
        now.timer = window.setTimeout(fire, pressMs, id);
      },
      onPointerMove(event: PointerEvent) {
        const { x, y } = state.current;
        if (Math.hypot(event.clientX - x, event.clientY - y) > tolerancePixels) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
      // Android tells of a long press by this, and would open the menu of a link.
      onContextMenu(event: MouseEvent) {
        if (!state.current.isTouch || isControl(event.target)) return;
        event.preventDefault();
        fire(id);
      },
      onClickCapture(event: MouseEvent) {
        if (!state.current.pressed) return;
        state.current.pressed = false;
        event.preventDefault();
        event.stopPropagation();
      },
    }),
  };
}
