import { useEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { vibrate } from '../platform/vibrate.ts';
import { Spinner } from '../ui/Spinner.tsx';
import { texts } from './texts.ts';

/** Long enough to be meant, short enough for sixty doors a day. */
const holdMs = 600;

interface HoldButtonProps {
  loading: boolean;
  loadingText: string;
  icon: ReactNode;
  onHeld: () => void;
  children: ReactNode;
}

/** A button that acts when held, so that a touch in the pocket does nothing. Keys and assistive technology press it plainly. */
export function HoldButton({ loading, loadingText, icon, onHeld, children }: HoldButtonProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [holding, setHolding] = useState(false);
  const [tooShort, setTooShort] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const start = () => {
    if (loading) return;
    setHolding(true);
    setTooShort(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setHolding(false);
      vibrate(20);
      onHeld();
    }, holdMs);
  };
  const stop = () => {
    if (!holding) return;
    clearTimeout(timer.current);
    setHolding(false);
    setTooShort(true);
  };
  // A click without a pointer: Enter, Space, or a screen reader's double tap.
  const press = (event: MouseEvent) => {
    if (event.detail === 0 && !loading) onHeld();
  };
  return (
    <>
      <p role="status" className="text-center text-ui font-medium text-ink-2 empty:hidden">
        {tooShort && !loading ? texts.keepHolding : ''}
      </p>
      <button
        type="button"
        aria-disabled={loading || undefined}
        aria-busy={loading || undefined}
        onPointerDown={start}
        onPointerUp={stop}
        onPointerLeave={stop}
        onPointerCancel={stop}
        onContextMenu={(event) => event.preventDefault()}
        onClick={press}
        data-holding={holding || undefined}
        className="hold relative flex min-h-17 w-full touch-none items-center justify-center gap-3 overflow-hidden rounded-sheet bg-green-strong px-6 text-section font-semibold text-on-green select-none aria-disabled:opacity-55"
      >
        <span aria-hidden="true" className="hold-fill absolute inset-0 origin-left bg-success" />
        <span className="relative flex items-center gap-3">
          {loading ? <Spinner size="sm" /> : icon}
          {loading ? loadingText : children}
        </span>
      </button>
    </>
  );
}
