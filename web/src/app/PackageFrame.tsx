import type { ReactNode } from 'react';
import { useSession } from '../platform/session.ts';
import { AdminPage } from './AdminPage.tsx';

/** The layout of a package's page: the owner's, or with the administrators' navigation. */
export function PackageFrame({ children }: { children: ReactNode }) {
  const { role } = useSession();
  return role === 'admin' ? <AdminPage>{children}</AdminPage> : <div className="page py-6 md:py-8">{children}</div>;
}
