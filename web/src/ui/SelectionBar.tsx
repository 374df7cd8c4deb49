import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';
import { IconButton } from './IconButton.tsx';
import type { Selection } from './useSelection.ts';

interface SelectionBarProps {
  selection: Selection;
  /** How many rows are loaded and how many match; null if unknown. */
  loaded: number;
  total: number | null;
  /** There are more than `total`. */
  isCapped?: boolean;
  /** BarButton elements. */
  children: ReactNode;
}

/** What can be done with the selected rows, at the bottom of the window. */
export function SelectionBar({ selection, loaded, total, isCapped = false, children }: SelectionBarProps) {
  const { count, all } = selection;
  const number = `${formatCount(count)}${all && isCapped ? '+' : ''}`;
  return (
    <>
      <span role="status" className="sr-only">
        {count > 0 ? `${number} selected` : ''}
      </span>
      {count > 0 && (
        <>
          {/* Room below the list, so that the bar never covers its end. */}
          <div aria-hidden="true" className="h-20 max-md:h-40" />
          <section
            aria-label="Selected rows"
            className="fixed inset-x-2 bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-30 mx-auto flex max-w-fit flex-wrap items-center gap-1 rounded-card bg-[#101828] p-2 pl-4 text-ui text-[#f2f5f9] shadow-float ring-1 ring-white/10 transition-[opacity,translate] duration-180 ease-calm max-md:bottom-[calc(5.5rem+env(safe-area-inset-bottom))] print:hidden starting:translate-y-2 starting:opacity-0"
          >
            <span className="mr-2 font-semibold figures whitespace-nowrap">{number} selected</span>
            {!all && total !== null && total > loaded && count === loaded && (
              <BarButton onClick={selection.selectAll}>
                Select all {formatCount(total)}
                {isCapped && '+'} matching
              </BarButton>
            )}
            {children}
            <span className="[&_button]:text-[#cbd3df] [&_button:hover]:bg-white/10 [&_button:hover]:text-white">
              <IconButton size="sm" label="Clear selection" icon={<X aria-hidden="true" />} onClick={selection.clear} />
            </span>
          </section>
        </>
      )}
    </>
  );
}

interface BarButtonProps {
  icon?: ReactNode;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A button in the bar, which is dark in both themes. */
export function BarButton({ icon, disabled = false, onClick, children }: BarButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-control bg-white/10 px-3 font-medium whitespace-nowrap transition-colors hover:bg-white/20 disabled:cursor-not-allowed disabled:opacity-55 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0"
    >
      {icon}
      {children}
    </button>
  );
}
