import type { Role } from '@waybill/contract';

const dashboards: Record<Role, string> = {
  owner: '/owner/dashboard',
  driver: '/driver/dashboard',
  admin: '/admin/dashboard',
};

/** The dashboard of a role; the landing page for visitors. */
export const dashboardOf = (role: string | null): string =>
  role === 'owner' || role === 'driver' || role === 'admin' ? dashboards[role] : '/';
