/** The pages of the application in the browser; `$id` stands for any one part. */
export const applicationPaths = {
  landing: '/',
  login: '/login',
  register: '/register',
  forgot: '/forgot',
  reset: '/reset',
  newPassword: '/new-password',
  secondFactor: '/second-factor',
  track: '/track',
  trackOne: '/track/$id',
  about: '/about',
  contact: '/contact',
  ownerDashboard: '/owner/dashboard',
  packageDetail: '/owner/package/$id',
  editPackage: '/owner/package/$id/edit',
  receipt: '/owner/package/$id/receipt',
  createPackage: '/owner/create-package',
  importPackages: '/owner/import',
  account: '/account',
  notifications: '/notifications',
  notificationPreferences: '/notifications/preferences',
  ownerIncidents: '/owner/incidents',
  driverDashboard: '/driver/dashboard',
  driverIncidents: '/driver/incidents',
  adminReports: '/admin/reports',
  adminNotifications: '/admin/notifications',
  adminSettings: '/admin/settings',
  adminUsers: '/admin/users',
  adminSchedule: '/admin/schedule',
  adminInventory: '/admin/inventory',
  adminAudit: '/admin/audit',
  adminDashboard: '/admin/dashboard',
  adminPackage: '/admin/package/$id',
  adminEditPackage: '/admin/package/$id/edit',
  adminReceipt: '/admin/package/$id/receipt',
} as const;

const patterns = Object.values(applicationPaths).map(
  (path) => new RegExp(`^${path.replace(/\/\$\w+/g, '/[^/]+').replace(/\/$/, '')}/?$`),
);

/** The page of a path without the ids in it, for reports; what the server alone has is named by itself. */
export const patternOf = (path: string): string =>
  Object.values(applicationPaths).find((_pattern, place) => patterns[place]?.test(path)) ??
  (/^\/(terms|privacy|cookies|licenses)$/.test(path) ? path : '/other');

/** Whether the application has a page here; the server's own pages are not among them. */
export const isApplicationPath = (path: string): boolean => patterns.some((pattern) => pattern.test(path));
