import type { ReactNode } from 'react';

/** The layout of an administrators' page. */
export function AdminPage({ children }: { children: ReactNode }) {
  return <div className="page py-5 md:px-6 md:py-6">{children}</div>;
}
