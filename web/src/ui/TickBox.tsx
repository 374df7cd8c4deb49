import { Check, Minus } from 'lucide-react';
import { useEffect, useRef } from 'react';

interface TickBoxProps {
  /** The accessible name: 'Select Desk lamp'. */
  label: string;
  /** `mixed`: some of the rows that it stands for. */
  checked: boolean | 'mixed';
  disabled?: boolean;
  /** @param range the Shift key was held */
  onToggle: (range: boolean) => void;
}

/** A checkbox without a visible label, for rows of tables. */
export function TickBox({ label, checked, disabled = false, onToggle }: TickBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const mixed = checked === 'mixed';
  useEffect(() => {
    if (input.current) input.current.indeterminate = mixed;
  }, [mixed]);
  const Mark = mixed ? Minus : Check;
  return (
    // Clicking with Shift would select text.
    <label className="relative flex size-8 shrink-0 cursor-pointer items-center justify-center select-none has-disabled:cursor-not-allowed pointer-coarse:size-11">
      <input
        ref={input}
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        disabled={disabled}
        onChange={(event) => {
          const { nativeEvent } = event;
          onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
        }}
        className="peer size-4.5 cursor-[inherit] appearance-none rounded-[4px] border border-control bg-surface transition-colors checked:border-brand checked:bg-brand indeterminate:border-brand indeterminate:bg-brand enabled:hover:border-ink-3 disabled:border-line disabled:bg-sunken"
      />
      <Mark
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none absolute size-3.5 text-on-brand opacity-0 peer-checked:opacity-100 peer-disabled:text-ink-3 peer-indeterminate:opacity-100"
      />
    </label>
  );
}
