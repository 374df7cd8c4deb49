import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface DescriptionItemProps {
  name: string;
  icon?: ReactNode;
  /** Spans all columns of a grid. */
  wide?: boolean;
  /** Begins a row, so that it stands beside what follows it. */
  first?: boolean;
  children: ReactNode;
}

/** A term and its description, for a `<dl>`. */
export function DescriptionItem({ name, icon, wide = false, first = false, children }: DescriptionItemProps) {
  return (
    <div className={classes('min-w-0', wide && 'col-span-full', first && 'col-start-1')}>
      <dt className="flex items-center gap-1.5 text-table text-ink-3 [&_svg]:size-4 [&_svg]:shrink-0">
        {icon}
        {name}
      </dt>
      <dd className="mt-0.5 text-ui font-medium text-ink wrap-anywhere">{children}</dd>
    </div>
  );
}
