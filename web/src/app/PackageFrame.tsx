import type { ReactNode } from 'react';
import { useSession } from '../platform/session.ts';
import { AdminPage } from './AdminPage.tsx';

/** The page of a package: of its owner, or among those of administrators. */
export function PackageFrame({ children }: { children: ReactNode }) {
  const { role } = useSession();
  return role === 'admin' ? <AdminPage>{children}</AdminPage> : <div className="page py-6 md:py-8">{children}</div>;
}
