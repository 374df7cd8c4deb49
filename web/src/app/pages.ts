import type { Requirement } from '../users/access.ts';

/**
 * Plain data, without imports of code: the server, the public pages and the end-to-end tests read it too. The code of a page is
 * in routes.tsx.
 */
interface Page {
  /** `$id` matches any one segment. */
  path: `/${string}`;
  /** The title of the browser tab, and the label in navigation. */
  title: string;
  /** The page sets the title of its tab itself, by its content. */
  setsOwnTitle?: true;
  /** Who may open it, enforced by the route's guard. 'visitors' has no guard; the page is only not offered to signed-in users. */
  for: Requirement | 'everybody' | 'visitors';
  /** Signed-out visitors see a preview. */
  preview?: true;
  /**
   * Offered from anywhere: in the palette, and by its key sequence ('g d'). Absent for a page that is opened only from a context: a
   * package, a link in an email.
   */
  offered?: { label?: string; keys?: string };
  /** In the administrators' navigation: position, label, and the label of its quick action on the overview. */
  admin?: { position: number; label: string; action?: string };
}

const owners: Requirement = { roles: ['owner'] };
const packageCreators: Requirement = { roles: ['owner'], permissions: ['packages.create'] };
const drivers: Requirement = { roles: ['driver'] };
const signedIn: Requirement = {};
const allPackagesReaders: Requirement = { permissions: ['packages.view_all'] };

/** All pages of the application, in the order of the palette. Routes, guards and navigation are derived from this table. */
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
    admin: { position: 1, label: 'Overview' },
  },
  packageDetail: { path: '/owner/package/$id', title: 'Package', setsOwnTitle: true, for: owners },
  editPackage: { path: '/owner/package/$id/edit', title: 'Edit Package', for: owners },
  receipt: { path: '/owner/package/$id/receipt', title: 'Delivery Receipt', setsOwnTitle: true, for: owners },
  ownerIncidents: { path: '/owner/incidents', title: 'Reported Issues', for: owners, offered: { keys: 'g p' } },
  driverIncidents: { path: '/driver/incidents', title: 'Reported Issues', for: drivers, offered: { keys: 'g p' } },
  // The owners' pages for administrators who may see all packages.
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
    admin: { position: 3, label: 'Users', action: 'Manage Users' },
  },
  adminReports: {
    path: '/admin/reports',
    title: 'Reports',
    for: { permissions: ['admin.access', 'admin.view_analytics'], requireAll: true },
    offered: { keys: 'g r' },
    admin: { position: 2, label: 'Reports', action: 'View Reports' },
  },
  adminSchedule: {
    path: '/admin/schedule',
    title: 'Schedule',
    for: { permissions: ['deliveries.assign'] },
    offered: { label: 'Driver Schedule', keys: 'g s' },
    admin: { position: 4, label: 'Schedule', action: 'Driver Schedule' },
  },
  adminInventory: {
    path: '/admin/inventory',
    title: 'Inventory',
    for: allPackagesReaders,
    offered: { keys: 'g w' },
    admin: { position: 5, label: 'Inventory', action: 'Inventory' },
  },
  adminSettings: {
    path: '/admin/settings',
    title: 'System Settings',
    for: { permissions: ['admin.system_config', 'roles.read'] },
    offered: { keys: 'g o' },
    admin: { position: 8, label: 'Settings', action: 'System Settings' },
  },
  adminAudit: {
    path: '/admin/audit',
    title: 'Audit Log',
    for: { permissions: ['admin.system_config'] },
    offered: { keys: 'g e' },
    admin: { position: 7, label: 'Audit Log' },
  },
  adminNotifications: {
    path: '/admin/notifications',
    title: 'Notifications',
    for: { permissions: ['admin.access'] },
    offered: { label: 'Sent Notifications', keys: 'g m' },
    admin: { position: 6, label: 'Notifications', action: 'Notifications' },
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

/** The table as a list of one element type. */
export const pageList = Object.entries(pages) as [PageName, Page][];

const patterns = pageList.map(
  ([, { path }]) => [new RegExp(`^${path.replace(/\/\$\w+/g, '/[^/]+').replace(/\/$/, '')}/?$`), path] as const,
);

/** The route pattern of a path, without ids, for error reports. Pages that only the server has are their own pattern. */
export const patternOf = (path: string): string =>
  patterns.find(([pattern]) => pattern.test(path))?.[1] ??
  (/^\/(terms|privacy|cookies|licenses)$/.test(path) ? path : '/other');

/** Whether the path is a page of the application, not of the server alone. */
export const isApplicationPath = (path: string): boolean => patterns.some(([pattern]) => pattern.test(path));
