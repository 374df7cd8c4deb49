import { Outlet, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { catch as caught, enum as oneOf, object, optional, string } from 'zod/mini';
import { DeliverySearch } from './deliveries/search.ts';
import { AdminNotificationSearch, NotificationSearch } from './notifications/search.ts';
import { InventorySearch } from './inventory/search.ts';
import { PackageSearch } from './packages/filters.ts';
import { ErrorPage } from './pages/ErrorPage.tsx';
import { Layout } from './pages/Layout.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { lazyPage } from './pages/lazy-page.tsx';
import { AuditSearch } from './pages/audit-search.ts';
import { applicationPaths as paths } from './pages/paths.ts';
import { PendingPage } from './pages/PendingPage.tsx';
import { reportError } from './platform/report-errors.ts';
import { SettingsSearch } from './settings/search.ts';
import { ScheduleSearch } from './shifts/search.ts';
import { DashboardSearch, ReportSearch } from './stats/search.ts';
import type { Requested } from './users/access.ts';
import { UserSearch } from './users/filters.ts';
import { Guard } from './users/Guard.tsx';

// Every URL and its page. Pages are loaded when they are first needed; who may see them is told by the guard above them.

const root = createRootRoute({ component: Layout });

const landing = createRoute({
  getParentRoute: () => root,
  path: paths.landing,
  component: lazyPage(() => import('./pages/LandingPage.tsx'), 'LandingPage'),
});

const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  component: lazyPage(() => import('./pages/LoginPage.tsx'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: paths.register,
  validateSearch: object({ role: caught(optional(oneOf(['owner', 'driver', 'admin'])), undefined) }),
  component: lazyPage(() => import('./pages/RegisterPage.tsx'), 'RegisterPage'),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: paths.forgot,
  component: lazyPage(() => import('./pages/ForgotPage.tsx'), 'ForgotPage'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: paths.reset,
  component: lazyPage(() => import('./pages/ResetPage.tsx'), 'ResetPage'),
});

const newPassword = createRoute({
  getParentRoute: () => root,
  path: paths.newPassword,
  component: lazyPage(() => import('./pages/NewPasswordPage.tsx'), 'NewPasswordPage'),
});

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: paths.secondFactor,
  component: lazyPage(() => import('./pages/SecondFactorPage.tsx'), 'SecondFactorPage'),
});

const track = createRoute({
  getParentRoute: () => root,
  path: paths.track,
  // `id` is what the form sends without JavaScript.
  validateSearch: object({ id: caught(optional(string()), undefined) }),
  component: lazyPage(() => import('./pages/TrackPage.tsx'), 'TrackPage'),
});

const trackOne = createRoute({
  getParentRoute: () => root,
  path: paths.trackOne,
  component: lazyPage(() => import('./pages/TrackPage.tsx'), 'TrackPage'),
});

const about = createRoute({
  getParentRoute: () => root,
  path: paths.about,
  component: lazyPage(() => import('./pages/AboutPage.tsx'), 'AboutPage'),
});

const contact = createRoute({
  getParentRoute: () => root,
  path: paths.contact,
  component: lazyPage(() => import('./pages/ContactPage.tsx'), 'ContactPage'),
});

const owners = createRoute({
  getParentRoute: () => root,
  id: 'owners',
  component: () => (
    <Guard roles={['owner']}>
      <Outlet />
    </Guard>
  ),
});

const senders = createRoute({
  getParentRoute: () => root,
  id: 'senders',
  component: () => (
    <Guard roles={['owner']} permissions={['packages.create']}>
      <Outlet />
    </Guard>
  ),
});

const ownerDashboard = createRoute({
  getParentRoute: () => owners,
  path: paths.ownerDashboard,
  validateSearch: PackageSearch,
  component: lazyPage(() => import('./pages/OwnerDashboardPage.tsx'), 'OwnerDashboardPage'),
});

const packageDetail = createRoute({
  getParentRoute: () => owners,
  path: paths.packageDetail,
  component: lazyPage(() => import('./pages/PackageDetailPage.tsx'), 'PackageDetailPage'),
});

const ownerIncidents = createRoute({
  getParentRoute: () => owners,
  path: paths.ownerIncidents,
  component: lazyPage(() => import('./pages/IncidentsPage.tsx'), 'IncidentsPage'),
});

const editPackage = createRoute({
  getParentRoute: () => owners,
  path: paths.editPackage,
  component: lazyPage(() => import('./pages/EditPackagePage.tsx'), 'EditPackagePage'),
});

const receipt = createRoute({
  getParentRoute: () => owners,
  path: paths.receipt,
  component: lazyPage(() => import('./pages/ReceiptPage.tsx'), 'ReceiptPage'),
});

const createPackage = createRoute({
  getParentRoute: () => senders,
  path: paths.createPackage,
  component: lazyPage(() => import('./pages/CreatePackagePage.tsx'), 'CreatePackagePage'),
});

const importPackages = createRoute({
  getParentRoute: () => senders,
  path: paths.importPackages,
  component: lazyPage(() => import('./pages/ImportPackagesPage.tsx'), 'ImportPackagesPage'),
});

const members = createRoute({
  getParentRoute: () => root,
  id: 'members',
  component: () => (
    <Guard>
      <Outlet />
    </Guard>
  ),
});

const notifications = createRoute({
  getParentRoute: () => members,
  path: paths.notifications,
  validateSearch: NotificationSearch,
  component: lazyPage(() => import('./pages/NotificationsPage.tsx'), 'NotificationsPage'),
});

const notificationPreferences = createRoute({
  getParentRoute: () => members,
  path: paths.notificationPreferences,
  component: lazyPage(() => import('./pages/NotificationPreferencesPage.tsx'), 'NotificationPreferencesPage'),
});

const account = createRoute({
  getParentRoute: () => members,
  path: paths.account,
  component: lazyPage(() => import('./pages/AccountPage.tsx'), 'AccountPage'),
});

const drivers = createRoute({
  getParentRoute: () => root,
  id: 'drivers',
  // Signed-out visitors see the page as a preview.
  component: () => (
    <Guard roles={['driver']} allowSignedOut>
      <Outlet />
    </Guard>
  ),
});

const driverDashboard = createRoute({
  getParentRoute: () => drivers,
  path: paths.driverDashboard,
  validateSearch: DeliverySearch,
  component: lazyPage(() => import('./pages/DriverDashboardPage.tsx'), 'DriverDashboardPage'),
});

const carriers = createRoute({
  getParentRoute: () => root,
  id: 'carriers',
  component: () => (
    <Guard roles={['driver']}>
      <Outlet />
    </Guard>
  ),
});

const driverIncidents = createRoute({
  getParentRoute: () => carriers,
  path: paths.driverIncidents,
  component: lazyPage(() => import('./pages/IncidentsPage.tsx'), 'IncidentsPage'),
});

const admins = createRoute({
  getParentRoute: () => root,
  id: 'admins',
  component: () => (
    <Guard roles={['admin']}>
      <Outlet />
    </Guard>
  ),
});

const adminDashboard = createRoute({
  getParentRoute: () => admins,
  path: paths.adminDashboard,
  validateSearch: DashboardSearch,
  component: lazyPage(() => import('./pages/AdminDashboardPage.tsx'), 'AdminDashboardPage'),
});

const operators = createRoute({
  getParentRoute: () => root,
  id: 'operators',
  component: () => (
    <Guard permissions={['admin.access']}>
      <Outlet />
    </Guard>
  ),
});

const adminNotifications = createRoute({
  getParentRoute: () => operators,
  path: paths.adminNotifications,
  validateSearch: AdminNotificationSearch,
  component: lazyPage(() => import('./pages/AdminNotificationsPage.tsx'), 'AdminNotificationsPage'),
});

const userManagers = createRoute({
  getParentRoute: () => root,
  id: 'user-managers',
  component: () => (
    <Guard permissions={['admin.manage_users']}>
      <Outlet />
    </Guard>
  ),
});

const adminUsers = createRoute({
  getParentRoute: () => userManagers,
  path: paths.adminUsers,
  validateSearch: UserSearch,
  component: lazyPage(() => import('./pages/AdminUsersPage.tsx'), 'AdminUsersPage'),
});

const configurers = createRoute({
  getParentRoute: () => root,
  id: 'configurers',
  component: () => (
    <Guard permissions={['admin.system_config', 'roles.read']}>
      <Outlet />
    </Guard>
  ),
});

const adminSettings = createRoute({
  getParentRoute: () => configurers,
  path: paths.adminSettings,
  validateSearch: SettingsSearch,
  component: lazyPage(() => import('./pages/AdminSettingsPage.tsx'), 'AdminSettingsPage'),
});

const auditors = createRoute({
  getParentRoute: () => root,
  id: 'auditors',
  component: () => (
    <Guard permissions={['admin.system_config']}>
      <Outlet />
    </Guard>
  ),
});

const adminAudit = createRoute({
  getParentRoute: () => auditors,
  path: paths.adminAudit,
  validateSearch: AuditSearch,
  component: lazyPage(() => import('./pages/AdminAuditPage.tsx'), 'AdminAuditPage'),
});

const analysts = createRoute({
  getParentRoute: () => root,
  id: 'analysts',
  component: () => (
    <Guard permissions={['admin.access', 'admin.view_analytics']} requireAll>
      <Outlet />
    </Guard>
  ),
});

const adminReports = createRoute({
  getParentRoute: () => analysts,
  path: paths.adminReports,
  validateSearch: ReportSearch,
  component: lazyPage(() => import('./pages/AdminReportsPage.tsx'), 'AdminReportsPage'),
});

const planners = createRoute({
  getParentRoute: () => root,
  id: 'planners',
  component: () => (
    <Guard permissions={['deliveries.assign']}>
      <Outlet />
    </Guard>
  ),
});

const adminSchedule = createRoute({
  getParentRoute: () => planners,
  path: paths.adminSchedule,
  validateSearch: ScheduleSearch,
  component: lazyPage(() => import('./pages/AdminSchedulePage.tsx'), 'AdminSchedulePage'),
});

const overseers = createRoute({
  getParentRoute: () => root,
  id: 'overseers',
  component: () => (
    <Guard permissions={['packages.view_all']}>
      <Outlet />
    </Guard>
  ),
});

const adminInventory = createRoute({
  getParentRoute: () => overseers,
  path: paths.adminInventory,
  validateSearch: InventorySearch,
  component: lazyPage(() => import('./pages/AdminInventoryPage.tsx'), 'AdminInventoryPage'),
});

// The pages of owners, for whoever sees everybody's packages.

const adminPackage = createRoute({
  getParentRoute: () => overseers,
  path: paths.adminPackage,
  component: lazyPage(() => import('./pages/PackageDetailPage.tsx'), 'PackageDetailPage'),
});

const adminEditPackage = createRoute({
  getParentRoute: () => overseers,
  path: paths.adminEditPackage,
  component: lazyPage(() => import('./pages/EditPackagePage.tsx'), 'EditPackagePage'),
});

const adminReceipt = createRoute({
  getParentRoute: () => overseers,
  path: paths.adminReceipt,
  component: lazyPage(() => import('./pages/ReceiptPage.tsx'), 'ReceiptPage'),
});

const tree = root.addChildren([
  landing,
  login,
  register,
  forgot,
  reset,
  newPassword,
  secondFactor,
  track,
  trackOne,
  about,
  contact,
  owners.addChildren([ownerDashboard, packageDetail, editPackage, receipt, ownerIncidents]),
  senders.addChildren([createPackage, importPackages]),
  members.addChildren([account, notifications, notificationPreferences]),
  drivers.addChildren([driverDashboard]),
  carriers.addChildren([driverIncidents]),
  admins.addChildren([adminDashboard]),
  operators.addChildren([adminNotifications]),
  userManagers.addChildren([adminUsers]),
  configurers.addChildren([adminSettings]),
  auditors.addChildren([adminAudit]),
  analysts.addChildren([adminReports]),
  planners.addChildren([adminSchedule]),
  overseers.addChildren([adminInventory, adminPackage, adminEditPackage, adminReceipt]),
]);

export const router = createRouter({
  routeTree: tree,
  scrollRestoration: true,
  scrollRestorationBehavior: 'instant',
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: ErrorPage,
  defaultOnCatch: (error) => reportError('render', error),
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    requested?: Requested;
  }

  interface Register {
    router: typeof router;
  }
}
