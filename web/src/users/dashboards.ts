import type { Role } from '@waybill/contract';

const dashboards: Record<Role, string> = {
  owner: '/owner/dashboard',
  driver: '/driver/dashboard',
  admin: '/admin/dashboard',
};

/** Where a role is at home; everybody else at the landing page. */
export const dashboardOf = (role: string | null): string =>
  role === 'owner' || role === 'driver' || role === 'admin' ? dashboards[role] : '/';
