import type { ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';
import { classes } from './classes.ts';
import { Skeleton } from './Skeleton.tsx';

/** Figures in one line: from 768 px the label beside its number, on phones below it; from 1024 px with an icon. */
export const StatStrip = ({ children }: { children: ReactNode }) => (
  <div className="@container grid grid-cols-4 divide-x divide-line overflow-hidden rounded-card border border-line bg-surface">
    {children}
  </div>
);

interface StatSegmentProps {
  label: string;
  /** undefined: still loading. null: failed to load, shown as a dash. */
  value: number | null | undefined;
  icon: ReactNode;
  /** Under the label where there is room for a line, in a height that is kept for it; else for screen readers alone. */
  hint?: string | undefined;
  /** Makes it a toggle button; `pressed` is its state. */
  onPress?: () => void;
  pressed?: boolean;
}

export function StatSegment({ label, value, icon, hint, onPress, pressed = false }: StatSegmentProps) {
  const content = (
    <>
      <span className="flex min-w-0 items-center gap-2 text-center text-meta text-ink-2 md:text-ui">
        <span aria-hidden="true" className="shrink-0 text-ink-3 max-lg:hidden [&_svg]:size-4.5">
          {icon}
        </span>
        {/* Nothing is cut at large text: words wrap. */}
        <span className="min-w-0 hyphens-auto xl:text-left">
          {label}
          {hint && <span className="sr-only text-meta text-ink-3 figures @5xl:not-sr-only @5xl:block">{hint}</span>}
        </span>
      </span>
      <span className="text-section font-semibold figures text-ink">
        {value === undefined ? <Skeleton width="w-8" height="h-7" /> : value === null ? '–' : formatCount(value)}
      </span>
    </>
  );
  const box =
    'flex h-full min-h-16.5 w-full flex-col-reverse items-center justify-end gap-x-3 px-1.5 py-2 md:min-h-11.5 xl:min-h-13.5 md:flex-row md:justify-between md:px-3 lg:px-4';
  if (!onPress) return <div className={box}>{content}</div>;
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={classes(
        box,
        'transition-colors focus-visible:-outline-offset-2',
        pressed ? 'border-line! bg-brand-soft shadow-[inset_0_-2px_var(--color-brand)]' : 'hover:bg-sunken/60',
      )}
    >
      {content}
    </button>
  );
}
