import type { ReactNode } from 'react';
import { classes } from '../ui/classes.ts';

interface AdminPageProps {
  /** The SidePanel of the open row. */
  panel?: ReactNode;
  children: ReactNode;
}

/** The layout of an administrators' page, with room for a panel at its right. */
export function AdminPage({ panel, children }: AdminPageProps) {
  return (
    <div
      className={classes(
        'grow',
        panel !== undefined && panel !== false && 'lg:grid lg:grid-cols-[minmax(0,1fr)_30rem]',
      )}
    >
      <div className="page min-w-0 py-5 md:px-6 md:py-6">{children}</div>
      {panel}
    </div>
  );
}
