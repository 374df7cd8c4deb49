import type { ReactNode } from 'react';

interface SkeletonGroupProps {
  label: string;
  /** Shows the label on screen as well. */
  visible?: boolean;
  children: ReactNode;
}

/** Wraps skeletons: announces once to screen readers that content is loading. */
export function SkeletonGroup({ label, visible = false, children }: SkeletonGroupProps) {
  return (
    <div aria-busy="true">
      <span role="status" className={visible ? 'block px-4 pt-4 text-ui text-ink-2 sm:px-5' : 'sr-only'}>
        {label}
      </span>
      {children}
    </div>
  );
}
