import type { Requirement } from '../users/access.ts';

/** Plain data: the server, the public pages and the tests of the browser read it too. What a page loads stands in routes.tsx. */
interface Page {
  /** `$id` stands for any one part. */
  path: `/${string}`;
  /** In the browser's tab, and wherever one can go from anywhere. */
  title: string;
  /** The page names its tab itself, by what it shows. */
  setsOwnTitle?: true;
  /** Who may open it, which the guard of its route asks; nobody guards what is for visitors, but nobody else is led there. */
  for: Requirement | 'everybody' | 'visitors';
  /** Signed-out visitors see a preview of it. */
  preview?: true;
  /**
   * Offered from anywhere: in the palette, and by its keys ('g d': one after the other). Without it a page takes a reason to be opened:
   * a package, a link of a mail.
   */
  offered?: { label?: string; keys?: string };
  /** In the administrators' navigation: where in the row, by what name, and what one goes there for where the overview offers it. */
  admin?: { place: number; label: string; action?: string };
}

const owners: Requirement = { roles: ['owner'] };
const packageCreators: Requirement = { roles: ['owner'], permissions: ['packages.create'] };
const drivers: Requirement = { roles: ['driver'] };
const signedIn: Requirement = {};
const allPackagesReaders: Requirement = { permissions: ['packages.view_all'] };

/** Every page of the application, in the order in which the palette offers them: routes, guards and all ways to a page come from here. */
export const pages = {
  login: { path: '/login', title: 'Sign In', for: 'visitors', offered: { keys: 'g l' } },
  register: { path: '/register', title: 'Register', for: 'visitors', offered: {} },
  forgot: { path: '/forgot', title: 'Forgot password', for: 'everybody' },
  reset: { path: '/reset', title: 'Set a new password', for: 'everybody' },
  newPassword: { path: '/new-password', title: 'Set a new password', for: 'everybody' },
  secondFactor: { path: '/second-factor', title: 'Set up a second factor', for: 'everybody' },
  ownerDashboard: {
    path: '/owner/dashboard',
    title: 'Package Owner Dashboard',
    for: owners,
    offered: { keys: 'g d' },
  },
  driverDashboard: {
    path: '/driver/dashboard',
    title: 'Driver Dashboard',
    for: drivers,
    preview: true,
    offered: { keys: 'g d' },
  },
  adminDashboard: {
    path: '/admin/dashboard',
    title: 'Admin Dashboard',
    for: { roles: ['admin'] },
    offered: { keys: 'g d' },
    admin: { place: 1, label: 'Overview' },
  },
  packageDetail: { path: '/owner/package/$id', title: 'Package', setsOwnTitle: true, for: owners },
  editPackage: { path: '/owner/package/$id/edit', title: 'Edit Package', for: owners },
  receipt: { path: '/owner/package/$id/receipt', title: 'Delivery Receipt', setsOwnTitle: true, for: owners },
  ownerIncidents: { path: '/owner/incidents', title: 'Reported Issues', for: owners, offered: { keys: 'g p' } },
  driverIncidents: { path: '/driver/incidents', title: 'Reported Issues', for: drivers, offered: { keys: 'g p' } },
  // The pages of owners, for whoever sees everybody's packages.
  adminPackage: { path: '/admin/package/$id', title: 'Package', setsOwnTitle: true, for: allPackagesReaders },
  adminEditPackage: { path: '/admin/package/$id/edit', title: 'Edit Package', for: allPackagesReaders },
  adminReceipt: {
    path: '/admin/package/$id/receipt',
    title: 'Delivery Receipt',
    setsOwnTitle: true,
    for: allPackagesReaders,
  },
  createPackage: {
    path: '/owner/create-package',
    title: 'Create New Package',
    for: packageCreators,
    offered: { keys: 'c' },
  },
  importPackages: { path: '/owner/import', title: 'Import Packages', for: packageCreators, offered: { keys: 'g i' } },
  adminUsers: {
    path: '/admin/users',
    title: 'User Management',
    for: { permissions: ['admin.manage_users'] },
    offered: { keys: 'g u' },
    admin: { place: 3, label: 'Users', action: 'Manage Users' },
  },
  adminReports: {
    path: '/admin/reports',
    title: 'Reports',
    for: { permissions: ['admin.access', 'admin.view_analytics'], requireAll: true },
    offered: { keys: 'g r' },
    admin: { place: 2, label: 'Reports', action: 'View Reports' },
  },
  adminSchedule: {
    path: '/admin/schedule',
    title: 'Schedule',
    for: { permissions: ['deliveries.assign'] },
    offered: { label: 'Driver Schedule', keys: 'g s' },
    admin: { place: 4, label: 'Schedule', action: 'Driver Schedule' },
  },
  adminInventory: {
    path: '/admin/inventory',
    title: 'Inventory',
    for: allPackagesReaders,
    offered: { keys: 'g w' },
    admin: { place: 5, label: 'Inventory', action: 'Inventory' },
  },
  adminSettings: {
    path: '/admin/settings',
    title: 'System Settings',
    for: { permissions: ['admin.system_config', 'roles.read'] },
    offered: { keys: 'g o' },
    admin: { place: 8, label: 'Settings', action: 'System Settings' },
  },
  adminAudit: {
    path: '/admin/audit',
    title: 'Audit Log',
    for: { permissions: ['admin.system_config'] },
    offered: { keys: 'g e' },
    admin: { place: 7, label: 'Audit Log' },
  },
  adminNotifications: {
    path: '/admin/notifications',
    title: 'Notifications',
    for: { permissions: ['admin.access'] },
    offered: { label: 'Sent Notifications', keys: 'g m' },
    admin: { place: 6, label: 'Notifications', action: 'Notifications' },
  },
  notifications: { path: '/notifications', title: 'Notifications', for: signedIn, offered: { keys: 'g n' } },
  notificationPreferences: {
    path: '/notifications/preferences',
    title: 'Notification Preferences',
    for: signedIn,
    offered: {},
  },
  account: { path: '/account', title: 'Account', for: signedIn, offered: { keys: 'g a' } },
  landing: { path: '/', title: 'Home', setsOwnTitle: true, for: 'everybody', offered: { keys: 'g h' } },
  track: {
    path: '/track',
    title: 'Track Your Package',
    setsOwnTitle: true,
    for: 'everybody',
    offered: { label: 'Track Package', keys: 'g t' },
  },
  trackOne: { path: '/track/$id', title: 'Track Your Package', setsOwnTitle: true, for: 'everybody' },
  about: { path: '/about', title: 'About Us', for: 'everybody', offered: {} },
  contact: { path: '/contact', title: 'Contact', for: 'everybody', offered: {} },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof pages;
export type AdminPageName = {
  [Name in PageName]: (typeof pages)[Name] extends { admin: object } ? Name : never;
}[PageName];

/** As one type, where all of them are looked through. */
export const pageList = Object.entries(pages) as [PageName, Page][];

const patterns = pageList.map(
  ([, { path }]) => [new RegExp(`^${path.replace(/\/\$\w+/g, '/[^/]+').replace(/\/$/, '')}/?$`), path] as const,
);

/** The page of a path without the ids in it, for reports; what the server alone has is named by itself. */
export const patternOf = (path: string): string =>
  patterns.find(([pattern]) => pattern.test(path))?.[1] ??
  (/^\/(terms|privacy|cookies|licenses)$/.test(path) ? path : '/other');

/** Whether the application has a page here; the server's own pages are not among them. */
export const isApplicationPath = (path: string): boolean => patterns.some(([pattern]) => pattern.test(path));
