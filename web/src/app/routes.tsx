import { Outlet, createRootRoute, createRoute, createRouter, stringifySearchWith } from '@tanstack/react-router';
import type { AnyRoute, AnyValidator, RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { DeliverySearch } from '../deliveries/search.ts';
import { InventorySearch } from '../inventory/search.ts';
import { MessageSearch } from '../contact/search.ts';
import { AddressSearch } from '../places/search.ts';
import { AdminNotificationSearch, NotificationSearch } from '../notifications/search.ts';
import { PackageSearch } from '../packages/search.ts';
import { AuditSearch } from '../audit/search.ts';
import { reportError } from '../platform/report-errors.ts';
import { TextParam, choiceParam, parseTextParam, searchOf } from '../platform/search-params.ts';
import type { DispatchSearch } from '../routes/search.ts';
import { SettingsSearch } from '../settings/search.ts';
import { ScheduleSearch } from '../shifts/search.ts';
import { DashboardSearch, ReportSearch } from '../stats/search.ts';
import type { RequestedPage, Requirement } from '../users/access.ts';
import { UserSearch } from '../users/filters.ts';
import { Guard } from '../users/Guard.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { Layout } from './Layout.tsx';
import { lazyPage } from './lazy-page.tsx';
import { titleOfPage } from './page-titles.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { pageList } from './pages.ts';
import type { PageName, pages } from './pages.ts';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';

// The routes of the pages table. A page is loaded on first navigation; the guard route above it enforces access.

async function loadIncidents() {
  const { IncidentsPage, loadIssueTexts } = await import('../pages/IncidentsPage.tsx');
  await loadIssueTexts();
  return { IncidentsPage };
}

/** The code of each page. The type requires an entry for every page of the table, which exports its component. */
const code: { [Name in PageName]: () => Promise<Record<(typeof pages)[Name]['component'], ComponentType>> } = {
  login: () => import('../pages/LoginPage.tsx'),
  register: () => import('../pages/RegisterPage.tsx'),
  forgot: () => import('../pages/ForgotPage.tsx'),
  reset: () => import('../pages/ResetPage.tsx'),
  newPassword: () => import('../pages/NewPasswordPage.tsx'),
  secondFactor: async () => {
    const { SecondFactorPage, loadAccountTexts } = await import('../pages/SecondFactorPage.tsx');
    await loadAccountTexts('en');
    return { SecondFactorPage };
  },
  ownerDashboard: () => import('../pages/OwnerDashboardPage.tsx'),
  driverDashboard: async () => {
    const { DriverDashboardPage, loadDriverTexts } = await import('../pages/DriverDashboardPage.tsx');
    await loadDriverTexts();
    return { DriverDashboardPage };
  },
  adminDashboard: () => import('../pages/AdminDashboardPage.tsx'),
  packageDetail: () => import('../pages/PackageDetailPage.tsx'),
  editPackage: () => import('../pages/EditPackagePage.tsx'),
  receipt: () => import('../pages/ReceiptPage.tsx'),
  ownerIncidents: loadIncidents,
  driverIncidents: loadIncidents,
  adminPackage: () => import('../pages/PackageDetailPage.tsx'),
  adminEditPackage: () => import('../pages/EditPackagePage.tsx'),
  adminReceipt: () => import('../pages/ReceiptPage.tsx'),
  createPackage: () => import('../pages/CreatePackagePage.tsx'),
  importPackages: () => import('../pages/ImportPackagesPage.tsx'),
  adminUsers: () => import('../pages/AdminUsersPage.tsx'),
  adminReports: () => import('../pages/AdminReportsPage.tsx'),
  adminDispatch: () => import('../pages/AdminDispatchPage.tsx'),
  adminManifest: () => import('../pages/ManifestPage.tsx'),
  driverManifest: () => import('../pages/ManifestPage.tsx'),
  adminSchedule: () => import('../pages/AdminSchedulePage.tsx'),
  adminInventory: () => import('../pages/AdminInventoryPage.tsx'),
  adminSettings: () => import('../pages/AdminSettingsPage.tsx'),
  adminAudit: () => import('../pages/AdminAuditPage.tsx'),
  adminNotifications: async () => {
    const { AdminNotificationsPage, loadNoticeTexts } = await import('../pages/AdminNotificationsPage.tsx');
    await loadNoticeTexts('en');
    return { AdminNotificationsPage };
  },
  adminMessages: () => import('../pages/AdminMessagesPage.tsx'),
  notifications: async () => {
    const { NotificationsPage, loadNoticeTexts } = await import('../pages/NotificationsPage.tsx');
    await loadNoticeTexts();
    return { NotificationsPage };
  },
  notificationPreferences: async () => {
    const { NotificationPreferencesPage, loadNoticeTexts } = await import('../pages/NotificationPreferencesPage.tsx');
    await loadNoticeTexts();
    return { NotificationPreferencesPage };
  },
  firstDay: async () => {
    const { FirstDayPage, loadFirstDayTexts } = await import('../pages/FirstDayPage.tsx');
    await loadFirstDayTexts();
    return { FirstDayPage };
  },
  addresses: () => import('../pages/AddressesPage.tsx'),
  account: async () => {
    const { AccountPage, loadAccountTexts } = await import('../pages/AccountPage.tsx');
    await loadAccountTexts();
    return { AccountPage };
  },
  landing: () => import('../pages/LandingPage.tsx'),
  track: () => import('../pages/TrackPage.tsx'),
  trackOne: () => import('../pages/TrackPage.tsx'),
  about: () => import('../pages/AboutPage.tsx'),
  contact: () => import('../pages/ContactPage.tsx'),
};

/** How the pages read their query strings. */
const searches = {
  register: searchOf({ role: choiceParam(['owner', 'driver', 'admin']) }),
  // Without JavaScript the form submits `id` in the query string.
  track: searchOf({ id: TextParam }),
  ownerDashboard: PackageSearch,
  addresses: AddressSearch,
  driverDashboard: DeliverySearch,
  adminDashboard: DashboardSearch,
  adminReports: ReportSearch,
  adminUsers: UserSearch,
  adminDispatch: (search: object): DispatchSearch => search,
  adminSchedule: ScheduleSearch,
  adminInventory: InventorySearch,
  adminSettings: SettingsSearch,
  adminAudit: AuditSearch,
  adminNotifications: AdminNotificationSearch,
  adminMessages: MessageSearch,
  notifications: NotificationSearch,
};
type Searches = typeof searches;
export type PageSearches = { [Name in keyof Searches]: ReturnType<Searches[Name]> };
type SearchOf<Name> = Name extends keyof Searches ? Searches[Name] : undefined;

const root = createRootRoute({ component: Layout });

const routeAt = <Path extends string, Search extends AnyValidator>(
  getParentRoute: () => typeof root,
  path: Path,
  validateSearch: Search,
  component: RouteComponent,
) => createRoute({ getParentRoute, path, validateSearch, component });

/** Typed as if all pages were children of the root: guards are pathless routes, invisible to links. */
type PageRoutes = { [Name in PageName]: ReturnType<typeof routeAt<(typeof pages)[Name]['path'], SearchOf<Name>>> };

/** One guard route per requirement, so that it stays mounted when navigating between its pages. */
const guards = new Map<string, { guard: typeof root; children: AnyRoute[] }>();

function guardedBy(requirement: Requirement, preview: boolean) {
  const id = JSON.stringify({ ...requirement, preview });
  const existing = guards.get(id);
  if (existing) return existing;
  const component = () => (
    <Guard {...requirement} allowSignedOut={preview}>
      <Outlet />
    </Guard>
  );
  const guard = createRoute({ getParentRoute: () => root, id, component }) as unknown as typeof root;
  const created = { guard, children: [] };
  guards.set(id, created);
  return created;
}

const unguarded: AnyRoute[] = [];
for (const [name, page] of pageList) {
  const { guard, children } =
    typeof page.for === 'object' ? guardedBy(page.for, page.preview === true) : { guard: root, children: unguarded };
  const search = (searches as Partial<Record<PageName, AnyValidator>>)[name];
  const load: () => Promise<Record<string, ComponentType>> = code[name];
  const component = lazyPage(page.component, load, page.setsOwnTitle ? undefined : () => titleOfPage(name));
  children.push(routeAt(() => guard, page.path, search, component));
}
for (const { guard, children } of guards.values()) guard.addChildren(children);

const tree: unknown = [...unguarded, ...[...guards.values()].map(({ guard }) => guard)];

export const router = createRouter({
  routeTree: root.addChildren(tree as PageRoutes),
  stringifySearch: stringifySearchWith(JSON.stringify, parseTextParam),
  scrollRestoration: true,
  scrollRestorationBehavior: 'instant',
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ErrorPage,
  defaultOnCatch: (error) => reportError('render', error),
  defaultNotFoundComponent: () => <NotFoundPage />,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    requested?: RequestedPage;
  }

  interface Register {
    router: typeof router;
  }
}
