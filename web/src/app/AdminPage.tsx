import type { ReactNode } from 'react';
import { AdminNav } from './AdminNav.tsx';

/** The layout of an administrators' page, with their navigation. */
export function AdminPage({ children }: { children: ReactNode }) {
  return (
    <div className="page pt-2 pb-6 md:pb-8">
      <AdminNav />
      {children}
    </div>
  );
}
