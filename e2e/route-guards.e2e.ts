import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { pages } from '../web/src/app/pages.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';

let product: RunningProduct;
let browser: Browser;
let world: Fixtures;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  world = await createFixtures(product);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const visitors = ['nobody', 'owner', 'driver', 'admin', 'suspended'] as const;
type Visitor = (typeof visitors)[number];

/** Where somebody lands, and what a toast tells them about it; null: on the page that was asked for, and no toast. */
type Landing = { at: string; toast: [title: string, description: string] | null } | null;

const stay = null;
const loginFirst: Landing = {
  at: '/login',
  toast: ['Authentication Required', 'Please log in to access this resource'],
};
const suspended: Landing = {
  at: '/',
  toast: ['Account Suspended', 'Your account is not active. Please contact support.'],
};
const led = (at: string): Landing => ({ at, toast: null });
const denied = (description: string): Landing => ({ at: '/', toast: ['Access Denied', description] });
const ownersOnly = denied('You need one of these roles: owner');

interface Route {
  /** What `$id` stands for. */
  id?: (world: Fixtures) => string;
  /** The page's own heading, for those who may stay. */
  heading: string;
  lands: Record<Visitor, Landing>;
}

const everybody = { nobody: stay, owner: stay, driver: stay, admin: stay, suspended: stay };
const members = { nobody: loginFirst, owner: stay, driver: stay, admin: stay, suspended };
const forAdmins = (denial: Landing) => ({ nobody: loginFirst, owner: denial, driver: denial, admin: stay, suspended });
const withPermission = (permission: string) => forAdmins(denied(`You need one of these permissions: ${permission}`));
const owners = { nobody: loginFirst, owner: stay, driver: ownersOnly, admin: ownersOnly, suspended };
const senders = { ...owners, driver: denied('You need one of these permissions: packages.create') };

/** Every path as everybody, by hand: a path without a row does not compile. */
const routes: Record<keyof typeof pages, Route> = {
  landing: { heading: 'Seamless Package Delivery for the Modern World', lands: everybody },
  login: {
    heading: 'Welcome back',
    lands: {
      nobody: stay,
      owner: led('/owner/dashboard'),
      driver: led('/driver/dashboard'),
      admin: led('/admin/dashboard'),
      suspended,
    },
  },
  register: { heading: 'Create your account', lands: everybody },
  forgot: { heading: 'Forgot your password?', lands: everybody },
  reset: { heading: 'Set a new password', lands: everybody },
  newPassword: {
    heading: 'Set a new password',
    lands: {
      nobody: led('/login'),
      owner: led('/owner/dashboard'),
      driver: led('/driver/dashboard'),
      admin: led('/admin/dashboard'),
      suspended,
    },
  },
  secondFactor: {
    heading: 'Set up a second factor',
    lands: {
      nobody: led('/login'),
      owner: led('/owner/dashboard'),
      driver: led('/driver/dashboard'),
      admin: led('/admin/dashboard'),
      suspended,
    },
  },
  track: { heading: 'Track Your Package', lands: everybody },
  trackOne: { id: ({ onTheRoad }) => onTheRoad.trackingId, heading: 'Track Your Package', lands: everybody },
  about: { heading: 'About Us', lands: everybody },
  contact: { heading: 'Contact', lands: everybody },
  ownerDashboard: { heading: 'Package Owner Dashboard', lands: owners },
  packageDetail: { id: ({ waiting }) => waiting.id, heading: 'Walnut desk lamp', lands: owners },
  editPackage: { id: ({ waiting }) => waiting.id, heading: 'Edit Package', lands: owners },
  ownerIncidents: { heading: 'Reported Issues', lands: owners },
  receipt: { id: ({ delivered }) => delivered.id, heading: 'Delivery Receipt', lands: owners },
  createPackage: { heading: 'Create New Package', lands: senders },
  importPackages: { heading: 'Import Packages', lands: senders },
  account: { heading: 'Account', lands: members },
  notifications: { heading: 'Notifications', lands: members },
  notificationPreferences: { heading: 'Notification Preferences', lands: members },
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
      nobody: loginFirst,
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
  adminNotifications: { heading: 'Notifications', lands: withPermission('admin.access') },
  adminUsers: { heading: 'User Management', lands: withPermission('admin.manage_users') },
  adminSchedule: { heading: 'Schedule', lands: withPermission('deliveries.assign') },
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

const toasts = (page: Page) => page.locator('li[data-state="open"]');

// A visitor meets every guard; the others walk with all tests. What the guards go by has tests of its own in web/src/users/access.test.ts.
for (const visitor of visitors)
  test.runIf(runsAll || visitor === 'nobody')(
    `${visitor} lands where they belong from every path, and is told why`,
    async () => {
      const token = visitor === 'nobody' ? undefined : world[visitor].token;
      // The stream is asked for together with the user, before it is known that there is none for this one.
      const expectFailures = visitor === 'suspended' ? /\/api\/live$/ : undefined;
      const { page, settled } = await openWindow(browser, { baseURL: product.url, token, expectFailures });
      for (const [name, { path }] of Object.entries(pages)) {
        const { id, heading, lands } = routes[name as keyof typeof routes];
        const asked = path.replace('$id', id?.(world) ?? '');
        const landing = lands[visitor];
        await page.goto(asked);
        const headings = page.getByRole('heading', { level: 1 });
        if (landing) {
          await page.waitForURL((url) => url.pathname === landing.at);
          // First, as it goes after 5 seconds.
          if (landing.toast) {
            const [title, description] = landing.toast;
            await toasts(page).filter({ hasText: title }).getByText(description, { exact: true }).waitFor();
          }
          await headings.first().waitFor();
        } else {
          await headings.filter({ hasText: heading }).waitFor();
        }
        await settled();
        if (!landing?.toast) expect(await toasts(page).count(), `toasts on ${asked}`).toBe(0);
        expect(new URL(page.url()).pathname, asked).toBe(landing?.at ?? asked);
        expect(await headings.count(), `headings of ${asked}`).toBe(1);
      }
    },
  );

test('two time zones draw the same days, and each its own hours', async () => {
  const seen = [];
  for (const timezoneId of ['Pacific/Auckland', 'America/Los_Angeles']) {
    const { page } = await openWindow(browser, { baseURL: product.url, timezoneId, token: world.owner.token });
    await page.goto('/owner/dashboard');
    const row = page.getByRole('listitem').filter({ hasText: world.waiting.trackingId });
    await row.getByText('04/05/2031').waitFor();
    await page.goto(`/owner/package/${world.waiting.id}`);
    const fact = (name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd');
    expect(await fact('Estimated Arrival').innerText()).toBe('04/05/2031');
    seen.push(await fact('Created On').innerText());
    await page.goto(`/track/${world.waiting.trackingId}`);
    await page.getByText('Arriving Sunday 4 May 2031').waitFor();
    await page.getByText('04/05/2031').waitFor();
  }
  expect(new Set(seen).size).toBe(2);
});
