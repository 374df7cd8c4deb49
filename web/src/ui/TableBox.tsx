import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface TableBoxProps {
  /** Shows what was asked for before, until the next reply is there. */
  stale?: boolean;
  children: ReactNode;
}

/** The frame of a DataTable and of what belongs to it; on a phone as wide as the window. Nothing in it scrolls, or heads would not stick; it is only clipped at its corners. */
export const TableBox = ({ stale = false, children }: TableBoxProps) => (
  <div
    aria-busy={stale}
    className={classes(
      '@container border-y border-line bg-surface transition-opacity max-md:-mx-4 md:overflow-clip md:rounded-card md:border-x',
      stale && 'opacity-60',
    )}
  >
    {children}
  </div>
);
