import type { Texts } from '@waybill/contract/texts/en';
import type { Requirement } from '../users/access.ts';

/**
 * Plain data, without imports of code: the server, the public pages and the end-to-end tests read it too. The code of a page is
 * in routes.tsx.
 */
interface Page {
  /** `$id` matches any one segment. */
  path: `/${string}`;
  /** The component of the page, exported by `src/pages/COMPONENT.tsx`. */
  component: string;
  /** The component of its dialogs, whose code is loaded beside that of the page. */
  dialogs?: string;
  /** The title of the browser tab, and the label in navigation. */
  title: string;
  /** Its texts are in every language; those of other pages are in English. */
  translated?: true;
  /** The area of the texts that is loaded beside it. */
  texts?: keyof Texts;
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
  /** In the administrators' navigation: position, label, and the label of its quick action on the board. */
  admin?: { position: number; label: string; action?: string };
}

const owners: Requirement = { roles: ['owner'] };
const packageCreators: Requirement = { roles: ['owner'], permissions: ['packages.create'] };
const drivers: Requirement = { roles: ['driver'] };
const signedIn: Requirement = {};
const allPackagesReaders: Requirement = { permissions: ['packages.view_all'] };

/** All pages of the application, in the order of the palette. Routes, guards and navigation are derived from this table. */
export const pages = {
  login: {
    path: '/login',
    component: 'LoginPage',
    title: 'Sign In',
    translated: true,
    for: 'visitors',
    offered: { keys: 'g l' },
  },
  register: {
    path: '/register',
    component: 'RegisterPage',
    title: 'Register',
    translated: true,
    for: 'visitors',
    offered: {},
  },
  forgot: { path: '/forgot', component: 'ForgotPage', title: 'Forgot password', translated: true, for: 'everybody' },
  reset: { path: '/reset', component: 'ResetPage', title: 'Set a new password', translated: true, for: 'everybody' },
  newPassword: {
    path: '/new-password',
    component: 'NewPasswordPage',
    title: 'Set a new password',
    translated: true,
    for: 'everybody',
  },
  secondFactor: {
    path: '/second-factor',
    component: 'SecondFactorPage',
    title: 'Set up a second factor',
    for: 'everybody',
  },
  ownerDashboard: {
    path: '/owner/dashboard',
    component: 'OwnerDashboardPage',
    title: 'Package Owner Dashboard',
    for: owners,
    offered: { keys: 'g d' },
  },
  driverDashboard: {
    path: '/driver/dashboard',
    component: 'DriverDashboardPage',
    dialogs: 'DriverDialogs',
    title: 'Driver Dashboard',
    translated: true,
    setsOwnTitle: true,
    texts: 'driver',
    for: drivers,
    preview: true,
    offered: { keys: 'g d' },
  },
  adminDashboard: {
    path: '/admin/dashboard',
    component: 'AdminDashboardPage',
    title: 'Admin Dashboard',
    for: { roles: ['admin'] },
    offered: { keys: 'g d' },
    admin: { position: 1, label: 'Board' },
  },
  packageDetail: {
    path: '/owner/package/$id',
    component: 'PackageDetailPage',
    title: 'Package',
    setsOwnTitle: true,
    for: owners,
  },
  editPackage: { path: '/owner/package/$id/edit', component: 'EditPackagePage', title: 'Edit Package', for: owners },
  receipt: {
    path: '/owner/package/$id/receipt',
    component: 'ReceiptPage',
    title: 'Delivery Receipt',
    setsOwnTitle: true,
    for: owners,
  },
  ownerIncidents: {
    path: '/owner/incidents',
    component: 'IncidentsPage',
    title: 'Reported Issues',
    translated: true,
    setsOwnTitle: true,
    texts: 'issues',
    for: owners,
    offered: { keys: 'g p' },
  },
  driverIncidents: {
    path: '/driver/incidents',
    component: 'IncidentsPage',
    title: 'Reported Issues',
    translated: true,
    setsOwnTitle: true,
    texts: 'issues',
    for: drivers,
    offered: { keys: 'g p' },
  },
  driverManifest: {
    path: '/driver/routes/$id/manifest',
    component: 'ManifestPage',
    title: 'Manifest',
    translated: true,
    setsOwnTitle: true,
    for: drivers,
  },
  // The owners' pages for administrators who may see all packages.
  adminPackage: {
    path: '/admin/package/$id',
    component: 'PackageDetailPage',
    title: 'Package',
    setsOwnTitle: true,
    for: allPackagesReaders,
  },
  adminEditPackage: {
    path: '/admin/package/$id/edit',
    component: 'EditPackagePage',
    title: 'Edit Package',
    for: allPackagesReaders,
  },
  adminReceipt: {
    path: '/admin/package/$id/receipt',
    component: 'ReceiptPage',
    title: 'Delivery Receipt',
    setsOwnTitle: true,
    for: allPackagesReaders,
  },
  createPackage: {
    path: '/owner/create-package',
    component: 'CreatePackagePage',
    title: 'Create New Package',
    for: packageCreators,
    offered: { keys: 'c' },
  },
  addresses: {
    path: '/owner/addresses',
    component: 'AddressesPage',
    title: 'Address Book',
    for: packageCreators,
    offered: {},
  },
  importPackages: {
    path: '/owner/import',
    component: 'ImportPackagesPage',
    title: 'Import Packages',
    for: packageCreators,
    offered: { keys: 'g i' },
  },
  adminUsers: {
    path: '/admin/users',
    component: 'AdminUsersPage',
    title: 'User Management',
    for: { permissions: ['admin.manage_users'] },
    offered: { keys: 'g u' },
    admin: { position: 7, label: 'Users', action: 'Manage Users' },
  },
  adminReports: {
    path: '/admin/reports',
    component: 'AdminReportsPage',
    title: 'Reports',
    for: { permissions: ['admin.access', 'admin.view_analytics'], requireAll: true },
    offered: { keys: 'g r' },
    admin: { position: 6, label: 'Reports', action: 'View Reports' },
  },
  adminDispatch: {
    path: '/admin/dispatch',
    component: 'AdminDispatchPage',
    title: 'Dispatch',
    for: { permissions: ['deliveries.assign'] },
    offered: { keys: 'g v' },
    admin: { position: 2, label: 'Dispatch' },
  },
  adminManifest: {
    path: '/admin/dispatch/routes/$id/manifest',
    component: 'ManifestPage',
    title: 'Manifest',
    translated: true,
    setsOwnTitle: true,
    for: { permissions: ['deliveries.assign'] },
  },
  adminSchedule: {
    path: '/admin/schedule',
    component: 'AdminSchedulePage',
    title: 'Schedule',
    for: { permissions: ['deliveries.assign'] },
    offered: { label: 'Driver Schedule', keys: 'g s' },
    admin: { position: 4, label: 'Schedule', action: 'Driver Schedule' },
  },
  adminInventory: {
    path: '/admin/inventory',
    component: 'AdminInventoryPage',
    title: 'Inventory',
    for: allPackagesReaders,
    offered: { keys: 'g w' },
    admin: { position: 3, label: 'Inventory', action: 'Inventory' },
  },
  adminSettings: {
    path: '/admin/settings',
    component: 'AdminSettingsPage',
    title: 'System Settings',
    for: { permissions: ['admin.system_config', 'roles.read'] },
    offered: { keys: 'g o' },
    admin: { position: 10, label: 'Settings', action: 'System Settings' },
  },
  adminAudit: {
    path: '/admin/audit',
    component: 'AdminAuditPage',
    title: 'Audit Log',
    for: { permissions: ['admin.system_config'] },
    offered: { keys: 'g e' },
    admin: { position: 9, label: 'Audit Log' },
  },
  adminNotifications: {
    path: '/admin/notifications',
    component: 'AdminNotificationsPage',
    title: 'Outbox',
    for: { permissions: ['admin.access'] },
    offered: { keys: 'g b' },
    admin: { position: 8, label: 'Outbox', action: 'Outbox' },
  },
  adminMessages: {
    path: '/admin/messages',
    component: 'AdminMessagesPage',
    title: 'Messages',
    for: { permissions: ['admin.access'] },
    offered: { keys: 'g m' },
    admin: { position: 5, label: 'Messages' },
  },
  notifications: {
    path: '/notifications',
    component: 'NotificationsPage',
    title: 'Notifications',
    translated: true,
    setsOwnTitle: true,
    texts: 'notices',
    for: signedIn,
    offered: { keys: 'g n' },
  },
  notificationPreferences: {
    path: '/notifications/preferences',
    component: 'NotificationPreferencesPage',
    title: 'Notification Preferences',
    translated: true,
    setsOwnTitle: true,
    texts: 'notices',
    for: signedIn,
    offered: {},
  },
  firstDay: {
    path: '/first-day',
    component: 'FirstDayPage',
    title: 'A First Day',
    translated: true,
    setsOwnTitle: true,
    for: signedIn,
    offered: {},
  },
  account: {
    path: '/account',
    component: 'AccountPage',
    title: 'Account',
    translated: true,
    setsOwnTitle: true,
    texts: 'account',
    for: signedIn,
    offered: { keys: 'g a' },
  },
  landing: {
    path: '/',
    component: 'LandingPage',
    title: 'Home',
    translated: true,
    setsOwnTitle: true,
    for: 'everybody',
    offered: { keys: 'g h' },
  },
  track: {
    path: '/track',
    component: 'TrackPage',
    title: 'Track Your Package',
    translated: true,
    setsOwnTitle: true,
    for: 'everybody',
    offered: { label: 'Track Package', keys: 'g t' },
  },
  trackOne: {
    path: '/track/$id',
    component: 'TrackPage',
    title: 'Track Your Package',
    translated: true,
    setsOwnTitle: true,
    for: 'everybody',
  },
  about: { path: '/about', component: 'AboutPage', title: 'About Us', translated: true, for: 'everybody', offered: {} },
  contact: {
    path: '/contact',
    component: 'ContactPage',
    title: 'Contact',
    translated: true,
    for: 'everybody',
    offered: {},
  },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof pages;
export type AdminPageName = {
  [Name in PageName]: (typeof pages)[Name] extends { admin: object } ? Name : never;
}[PageName];

/** The table as a list of one element type. */
export const pageList = Object.entries(pages) as [PageName, Page][];

const patterns = pageList.map(
  ([, page]) => [new RegExp(`^${page.path.replace(/\/\$\w+/g, '/[^/]+').replace(/\/$/, '')}/?$`), page] as const,
);

/** The page at this path; undefined if it is a page of the server alone, or none. */
export const pageAt = (path: string): Page | undefined => patterns.find(([pattern]) => pattern.test(path))?.[1];

/** The route pattern of a path, without ids, for error reports. Pages that only the server has are their own pattern. */
export const patternOf = (path: string): string =>
  pageAt(path)?.path ?? (/^\/(terms|privacy|cookies|licenses)$/.test(path) ? path : '/other');

/** Whether the path is a page of the application, not of the server alone. */
export const isApplicationPath = (path: string): boolean => pageAt(path) !== undefined;
