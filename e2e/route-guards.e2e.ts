import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { pages } from '../web/src/app/pages.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';

let product: RunningProduct;
let browser: Browser;
let fixtures: Fixtures;
let routeId: string;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  fixtures = await createFixtures(product);
  const { routes, depots } = fixtures.admin.api;
  const [depot] = await depots.list();
  const body = { day: '2031-05-04', depotId: depot?.id ?? '', driverId: fixtures.driver.id };
  routeId = (await routes.create({ body })).id;
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const visitors = ['nobody', 'owner', 'driver', 'admin', 'suspended'] as const;
type Visitor = (typeof visitors)[number];

/** Where a visitor lands, and the toast shown there; null: on the requested page, without a toast. */
type Landing = { at: string; toast: [title: string, description: string] | null } | null;

const stay = null;
const redirectedToLogin: Landing = {
  at: '/login',
  toast: ['Authentication Required', 'Please log in to access this resource'],
};
const suspended: Landing = {
  at: '/',
  toast: ['Account Suspended', 'Your account is not active. Please contact support.'],
};
const redirected = (at: string): Landing => ({ at, toast: null });
const denied = (description: string): Landing => ({ at: '/', toast: ['Access Denied', description] });
const ownersOnly = denied('You need one of these roles: owner');

interface Route {
  /** What `$id` stands for. */
  id?: (fixtures: Fixtures) => string;
  /** The page's heading, for visitors with access. */
  heading: string | RegExp;
  lands: Record<Visitor, Landing>;
}

const everybody = { nobody: stay, owner: stay, driver: stay, admin: stay, suspended: stay };
const anySignedIn = { nobody: redirectedToLogin, owner: stay, driver: stay, admin: stay, suspended };
const forAdmins = (denial: Landing) => ({
  nobody: redirectedToLogin,
  owner: denial,
  driver: denial,
  admin: stay,
  suspended,
});
const withPermission = (permission: string) => forAdmins(denied(`You need one of these permissions: ${permission}`));
const owners = { nobody: redirectedToLogin, owner: stay, driver: ownersOnly, admin: ownersOnly, suspended };
const creators = { ...owners, driver: denied('You need one of these permissions: packages.create') };

/** Every path for every visitor, written by hand: a path without a row does not compile. */
const routes: Record<keyof typeof pages, Route> = {
  landing: { heading: 'Seamless Package Delivery for the Modern World', lands: everybody },
  login: {
    heading: 'Welcome back',
    lands: {
      nobody: stay,
      owner: redirected('/owner/dashboard'),
      driver: redirected('/driver/dashboard'),
      admin: redirected('/admin/dashboard'),
      suspended,
    },
  },
  register: { heading: 'Create your account', lands: everybody },
  forgot: { heading: 'Forgot your password?', lands: everybody },
  reset: { heading: 'Set a new password', lands: everybody },
  newPassword: {
    heading: 'Set a new password',
    lands: {
      nobody: redirected('/login'),
      owner: redirected('/owner/dashboard'),
      driver: redirected('/driver/dashboard'),
      admin: redirected('/admin/dashboard'),
      suspended,
    },
  },
  secondFactor: {
    heading: 'Set up a second factor',
    lands: {
      nobody: redirected('/login'),
      owner: redirected('/owner/dashboard'),
      driver: redirected('/driver/dashboard'),
      admin: redirected('/admin/dashboard'),
      suspended,
    },
  },
  track: { heading: 'Track Your Package', lands: everybody },
  trackOne: { id: ({ onTheRoad }) => onTheRoad.trackingId, heading: /^Arriving t(oday|omorrow), by/, lands: everybody },
  about: { heading: 'About Us', lands: everybody },
  contact: { heading: 'Contact', lands: everybody },
  ownerDashboard: { heading: 'Package Owner Dashboard', lands: owners },
  packageDetail: { id: ({ waiting }) => waiting.id, heading: 'Walnut desk lamp', lands: owners },
  editPackage: { id: ({ waiting }) => waiting.id, heading: 'Edit Package', lands: owners },
  ownerIncidents: { heading: 'Reported Issues', lands: owners },
  receipt: { id: ({ delivered }) => delivered.id, heading: 'Delivery Receipt', lands: owners },
  createPackage: { heading: 'Create New Package', lands: creators },
  addresses: { heading: 'Address Book', lands: creators },
  importPackages: { heading: 'Import Packages', lands: creators },
  account: { heading: 'Account', lands: anySignedIn },
  firstDay: { heading: /^(A first day|Your first day)/, lands: anySignedIn },
  notifications: { heading: 'Notifications', lands: anySignedIn },
  notificationPreferences: { heading: 'Notification Preferences', lands: anySignedIn },
  driverDashboard: {
    heading: 'Driver Dashboard',
    lands: {
      // As a preview.
      nobody: stay,
      owner: denied('You need one of these roles: driver'),
      driver: stay,
      admin: denied('You need one of these roles: driver'),
      suspended,
    },
  },
  driverIncidents: {
    heading: 'Reported Issues',
    lands: {
      nobody: redirectedToLogin,
      owner: denied('You need one of these roles: driver'),
      driver: stay,
      admin: denied('You need one of these roles: driver'),
      suspended,
    },
  },
  adminReports: {
    heading: 'Reports',
    lands: forAdmins(denied('You need all of these permissions: admin.access, admin.view_analytics')),
  },
  adminNotifications: { heading: 'Outbox', lands: withPermission('admin.access') },
  adminMessages: { heading: 'Messages', lands: withPermission('admin.access') },
  adminUsers: { heading: 'User Management', lands: withPermission('admin.manage_users') },
  adminSchedule: { heading: 'Schedule', lands: withPermission('deliveries.assign') },
  adminDispatch: { heading: 'Dispatch', lands: withPermission('deliveries.assign') },
  adminManifest: {
    id: () => routeId,
    heading: 'Manifest',
    lands: withPermission('deliveries.assign'),
  },
  driverManifest: {
    id: () => routeId,
    heading: 'Manifest',
    lands: {
      nobody: redirectedToLogin,
      owner: denied('You need one of these roles: driver'),
      driver: stay,
      admin: denied('You need one of these roles: driver'),
      suspended,
    },
  },
  adminAudit: { heading: 'Audit Log', lands: withPermission('admin.system_config') },
  adminInventory: { heading: 'Inventory', lands: withPermission('packages.view_all') },
  adminPackage: {
    id: ({ waiting }) => waiting.id,
    heading: 'Walnut desk lamp',
    lands: withPermission('packages.view_all'),
  },
  adminEditPackage: {
    id: ({ waiting }) => waiting.id,
    heading: 'Edit Package',
    lands: withPermission('packages.view_all'),
  },
  adminReceipt: {
    id: ({ delivered }) => delivered.id,
    heading: 'Delivery Receipt',
    lands: withPermission('packages.view_all'),
  },
  adminSettings: { heading: 'System Settings', lands: withPermission('admin.system_config, roles.read') },
  adminDashboard: { heading: 'Admin Dashboard', lands: forAdmins(denied('You need one of these roles: admin')) },
};

/** Paths of each kind of guard: `npm test` visits these. */
const quickPaths = new Set<keyof typeof pages>([
  'landing',
  'login',
  'newPassword',
  'trackOne',
  'packageDetail',
  'account',
  'driverDashboard',
  'driverIncidents',
  'adminSettings',
]);

const toasts = (page: Page) => page.locator('li[data-state="open"]');

// A visitor meets every guard; the other roles and paths run with test:all only. The rules themselves are tested in web/src/users/access.test.ts.
for (const visitor of visitors)
  test.runIf(runsAll || visitor === 'nobody')(
    `${visitor} lands on the right page from every path, with a toast that says why`,
    async () => {
      const token = visitor === 'nobody' ? undefined : fixtures[visitor].token;
      // The live stream is requested together with the user, before the refusal is known.
      const expectFailures = visitor === 'suspended' ? /\/api\/live$/ : undefined;
      const { page, settled } = await openWindow(browser, { baseURL: product.url, token, expectFailures });
      const all = Object.entries(pages);
      const visited = runsAll ? all : all.filter(([name]) => quickPaths.has(name as keyof typeof pages));
      for (const [name, { path }] of visited) {
        const { id, heading, lands } = routes[name as keyof typeof routes];
        const requested = path.replace('$id', id?.(fixtures) ?? '');
        const landing = lands[visitor];
        await page.goto(requested);
        const headings = page.getByRole('heading', { level: 1 });
        if (landing) {
          await page.waitForURL((url) => url.pathname === landing.at);
          // Check the toast first: it disappears after 5 s.
          if (landing.toast) {
            const [title, description] = landing.toast;
            await toasts(page).filter({ hasText: title }).getByText(description, { exact: true }).waitFor();
          }
          await headings.first().waitFor();
        } else {
          await headings.filter({ hasText: heading }).waitFor();
        }
        await settled();
        if (!landing?.toast) expect(await toasts(page).count(), `toasts on ${requested}`).toBe(0);
        expect(new URL(page.url()).pathname, requested).toBe(landing?.at ?? requested);
        expect(await headings.count(), `headings of ${requested}`).toBe(1);
      }
    },
  );

test.runIf(runsAll)('two time zones show the same days, and each its own times', async () => {
  const seen = [];
  for (const timezoneId of ['Pacific/Auckland', 'America/Los_Angeles']) {
    const { page } = await openWindow(browser, { baseURL: product.url, timezoneId, token: fixtures.owner.token });
    await page.goto('/owner/dashboard');
    const row = page.getByRole('row').filter({ hasText: fixtures.waiting.trackingId });
    await row.getByText('Sun 4 May 2031').waitFor();
    expect(await row.getByText('Sun 4 May 2031').getAttribute('title')).toBe('04/05/2031');
    await page.goto(`/owner/package/${fixtures.waiting.id}`);
    const detail = (name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd');
    expect(await detail('Estimated Arrival').innerText()).toBe('04/05/2031');
    seen.push(await detail('Created On').innerText());
    await page.goto(`/track/${fixtures.waiting.trackingId}`);
    await page.getByRole('heading', { name: 'Arriving Sun 4 May 2031' }).waitFor();
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('04/05/2031').waitFor();
  }
  expect(new Set(seen).size).toBe(2);
});
