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
          {/* The page's main part keeps room below its end while there is one, so that the bar covers nothing. */}
          <section
            data-selection-bar=""
            aria-label="Selected rows"
            className="fixed right-2 left-[calc(var(--frame-left,0px)+0.5rem)] bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-30 mx-auto flex max-w-fit flex-wrap items-center gap-1.5 rounded-card bg-[#101828] p-2 pr-13 text-ui text-[#f2f5f9] shadow-float ring-1 ring-paper/10 transition-[opacity,translate] duration-180 ease-calm max-md:bottom-[calc(var(--frame-bottom,0rem)+0.75rem+env(safe-area-inset-bottom))] max-lg:max-w-[42rem] max-lg:pr-2 print:hidden starting:translate-y-2 starting:opacity-0"
          >
            <span className="flex min-h-9 items-center gap-2 pl-2 max-lg:w-full max-lg:pr-11 pointer-coarse:min-h-11">
              <span className="mr-1 font-semibold figures whitespace-nowrap">{number} selected</span>
              {!all && total !== null && total > loaded && count === loaded && (
                <BarButton onClick={selection.selectAll}>
                  Select all {formatCount(total)}
                  {isCapped && '+'} matching
                </BarButton>
              )}
            </span>
            {/* Below 1,024 px they share one line of their own; on phones each has its icon above its word. */}
            <span className="flex gap-1.5 max-lg:w-full max-lg:*:flex-auto max-md:*:min-w-0 max-md:*:flex-col max-md:*:gap-1 max-md:*:px-1 max-md:*:py-1.5 max-md:*:text-meta max-md:*:whitespace-normal">
              {children}
            </span>
            <span className="absolute top-2 right-2 [&_button]:text-[#cbd3df] [&_button:hover]:bg-paper/10 [&_button:hover]:text-paper">
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
      className="inline-flex min-h-9 items-center gap-1.5 rounded-control justify-center bg-paper/10 px-3 font-medium whitespace-nowrap transition-colors hover:bg-paper/20 disabled:cursor-not-allowed disabled:opacity-55 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0"
    >
      {icon}
      {children}
    </button>
  );
}
