import type { ReactNode } from 'react';

/** The denominator of a rate, or the base of an average. */
export function Denominator({ children }: { children: ReactNode }) {
  return <span className="block text-meta font-normal text-ink-3">{children}</span>;
}
