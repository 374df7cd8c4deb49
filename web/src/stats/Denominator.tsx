import type { ReactNode } from 'react';

/** What a rate divides by, or an average is taken over. */
export function Denominator({ children }: { children: ReactNode }) {
  return <span className="block text-meta font-normal text-ink-3">{children}</span>;
}
