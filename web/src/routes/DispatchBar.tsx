import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import type { ReactNode } from 'react';
import { formatCount, formatWeight } from '../platform/formats.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Keys } from '../ui/Keys.tsx';

interface DispatchBarProps {
  packages: number;
  kilograms: number;
  stops: number;
  onAssign: () => void;
  /** Null: why not is said. */
  onSplit: (() => void) | null;
  onTakeBack: (() => void) | null;
  /** One selected stop, one place earlier or later. */
  onStep: ((step: 1 | -1) => void) | null;
  onClear: () => void;
}

/** What can be done with the selected packages and stops. */
export function DispatchBar({
  packages,
  kilograms,
  stops,
  onAssign,
  onSplit,
  onTakeBack,
  onStep,
  onClear,
}: DispatchBarProps) {
  const count = packages + stops;
  const actOf = (key: string, onBox: boolean) => {
    if (key === 'Backspace') return onTakeBack;
    // Elsewhere `aria-keyshortcuts` has these keys pressed, but not while a control for input has the focus.
    if (!onBox) return null;
    return key === 'a' ? onAssign : key === 'e' ? onSplit : null;
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (count === 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = 'input:not([type=checkbox]), textarea, select, [role=menu]';
    if (target instanceof Element && target.closest(typing)) return;
    if (document.querySelector('[role=dialog], [role=alertdialog]')) return;
    const act = actOf(key, target instanceof HTMLInputElement);
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  if (count === 0) return null;
  const weight = packages > 0 ? formatWeight(kilograms) : '';
  return (
    <section
      aria-label="Selected"
      className="fixed bottom-5 left-5 z-30 flex max-w-[calc(100vw-1rem)] flex-wrap items-center gap-1.5 rounded-card bg-[#101828] p-2 pl-4 text-ui text-[#f2f5f9] shadow-float ring-1 ring-paper/10 transition-[opacity,translate] duration-180 ease-calm max-md:inset-x-2 max-md:bottom-[calc(4.5rem+env(safe-area-inset-bottom))] md:left-[4.75rem] frame:left-[16.25rem] starting:translate-y-2 starting:opacity-0"
    >
      <span role="status" className="mr-1 font-semibold figures whitespace-nowrap">
        {formatCount(count)} selected
      </span>
      {weight && <span className="mr-2 figures text-[#cbd3df] max-sm:hidden">{weight}</span>}
      <Act keys="a" isMain onClick={onAssign}>
        Assign to...
      </Act>
      <Act keys="e" onClick={onSplit} reason="Select packages that wait">
        Split evenly
      </Act>
      <Act keys="Backspace" onClick={onTakeBack} reason="Nothing selected is on a route">
        Take back
      </Act>
      <span className="flex [&_button]:text-[#cbd3df] [&_button:hover]:bg-paper/10 [&_button:hover]:text-paper">
        {onStep && (
          <>
            <IconButton size="sm" label="One place earlier" icon={<ChevronUp />} onClick={() => onStep(-1)} />
            <IconButton size="sm" label="One place later" icon={<ChevronDown />} onClick={() => onStep(1)} />
          </>
        )}
        <IconButton size="sm" label="Clear selection" icon={<X aria-hidden="true" />} onClick={onClear} />
      </span>
    </section>
  );
}

interface ActProps {
  keys: string;
  isMain?: boolean;
  onClick: (() => void) | null;
  /** Why it is disabled. */
  reason?: string;
  children: ReactNode;
}

function Act({ keys, isMain = false, onClick, reason, children }: ActProps) {
  return (
    <button
      type="button"
      aria-keyshortcuts={keys}
      aria-disabled={onClick === null || undefined}
      title={onClick === null ? reason : undefined}
      onClick={() => onClick?.()}
      className={`inline-flex min-h-9 items-center gap-2 rounded-control px-3 font-medium whitespace-nowrap transition-colors max-sm:aria-disabled:hidden aria-disabled:cursor-not-allowed aria-disabled:opacity-55 pointer-coarse:min-h-11 [&_kbd]:border-paper/25 [&_kbd]:bg-transparent [&_kbd]:text-current ${
        isMain ? 'bg-[#7aa7ff] text-[#0a0d13] hover:bg-[#94b8ff]' : 'bg-paper/10 hover:bg-paper/20'
      }`}
    >
      {children}
      <span aria-hidden="true" className="max-md:hidden">
        <Keys keys={keys === 'Backspace' ? '⌫' : keys} />
      </span>
    </button>
  );
}
