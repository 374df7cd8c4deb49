import { join } from 'node:path';
import type { SignedIn } from '@waybill/contract';
import type { Browser, Page } from 'playwright-core';
import { createDeadLetter } from './dead-letters.ts';
import type { RunningProduct } from './product.ts';
import { openWatchedWindow, type Window } from './watched-window.ts';

/** Accounts of the screens: the demo's, two new ones without data, and one that has to change its one-time password. */
type Person = 'owner' | 'driver' | 'admin' | 'newOwner' | 'newDriver' | 'invited';

export interface Screen {
  name: string;
  path: string;
  as?: Person;
  /**
   * `{id}`, `{trackingId}` and `{recipient}` (the recipient's link) in the path stand for the demo owner's newest package in this
   * status ('failed' stands for one that waits after a failed attempt), `{route}` for the driver's route of today.
   */
  status?: string;
  /** A text that shows that the screen has loaded. */
  shows: string | RegExp;
  after?: (page: Page) => Promise<void>;
  /** Opened narrow: a screen that only phones have. */
  phone?: true;
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
};
const dialog = (opener: (page: Page) => Promise<void>, title: string) => async (page: Page) => {
  await opener(page);
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByText(title).first().waitFor();
};
const choose = (item: string) => async (page: Page) => {
  await press(/^More actions for/)(page);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const tab = (name: RegExp) => async (page: Page) => {
  await page.getByRole('tab', { name }).click();
};

const orders = join(import.meta.dirname, '../server/src/packages/fixtures/shopify-orders.csv');
const csv = (...rows: string[]) => ({
  name: 'orders.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(rows.join('\n')),
});

/** Three images from the documentation. */
const images = ['tracker', 'owner-dashboard', 'driver-dashboard'].map((name) =>
  join(import.meta.dirname, `../docs/images/${name}.webp`),
);
const chooseFiles = (label: string, files: string[]) => async (page: Page) => {
  await page.getByLabel(label).setInputFiles(files);
  await page
    .locator('img[src^="blob:"]')
    .nth(files.length - 1)
    .waitFor();
};

/** Every screen in every state that looks different, for screens.e2e.ts (axe, 320 px) and `npm run screenshots`. */
export const screens: Screen[] = [
  { name: 'landing', path: '/', shows: 'Seamless Package Delivery for the Modern World' },
  { name: 'login', path: '/login', shows: 'Sign In' },
  {
    name: 'login with faults',
    path: '/login',
    shows: 'Sign In',
    after: (page) => page.getByRole('main').getByRole('button', { name: 'Sign In' }).click(),
  },
  { name: 'forgot password', path: '/forgot', shows: 'Forgot your password?' },
  { name: 'reset link', path: '/reset#token=any', shows: 'Confirm Password' },
  { name: 'reset link without a token', path: '/reset', shows: 'Set a new password' },
  { name: 'one-time password', path: '/new-password', as: 'invited', shows: 'Set a new password' },
  { name: 'register', path: '/register', shows: 'Create Account' },
  { name: 'register with faults', path: '/register', shows: 'Create Account', after: press('Create Account') },
  { name: 'tracker', path: '/track', shows: 'Track Your Package' },
  {
    name: 'tracker with a package',
    path: '/track/{trackingId}',
    status: 'out for delivery',
    shows: 'History',
  },
  {
    name: 'tracker with the details of a package and a message to its sender',
    path: '/track/{trackingId}',
    status: 'processing',
    shows: 'History',
    after: async (page) => {
      await page.getByText('Details', { exact: true }).click();
      await page.getByText('Current Location').waitFor();
      await page.getByText('Message to the sender').click();
      await page.getByRole('textbox', { name: 'Your email' }).waitFor();
    },
  },
  {
    name: 'tracker with a delivered package',
    path: '/track/{trackingId}',
    status: 'delivered',
    shows: 'History',
  },
  {
    name: 'tracker with a package whose last attempt failed',
    path: '/track/{trackingId}',
    status: 'failed',
    shows: 'History',
  },
  {
    name: 'tracker with a cancelled package',
    path: '/track/{trackingId}',
    status: 'cancelled',
    shows: 'History',
  },
  { name: 'tracker of the recipient', path: '{recipient}', status: 'out for delivery', shows: 'History' },
  { name: 'tracker of the recipient, delivered', path: '{recipient}', status: 'delivered', shows: 'History' },
  { name: 'tracker without', path: '/track/PKG-NOTTHERE', shows: 'Package not found' },
  { name: 'about', path: '/about', shows: 'About' },
  { name: 'contact', path: '/contact', shows: 'Contact' },
  {
    name: 'contact with faults',
    path: '/contact',
    shows: 'Contact',
    after: async (page) => {
      await press('Send Message')(page);
      await page.getByText('Message must be at least 10 characters').waitFor();
    },
  },
  { name: 'contact, sent', path: '/contact?sent', shows: 'Your message has arrived' },
  { name: 'not found', path: '/nowhere', shows: 'Package Not Found' },
  { name: 'owner dashboard', path: '/owner/dashboard', as: 'owner', shows: 'Noise-cancelling headphones' },
  {
    name: 'scanner without a camera',
    path: '/owner/dashboard',
    as: 'owner',
    shows: 'Noise-cancelling headphones',
    after: async (page) => {
      await press('Scan a label')(page);
      await page.getByRole('dialog', { name: 'Scan a label' }).getByRole('alert').waitFor();
    },
  },
  {
    name: 'command palette',
    path: '/owner/dashboard',
    as: 'owner',
    shows: 'Noise-cancelling headphones',
    after: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).fill('lamp');
      await page.getByRole('option', { name: /Walnut desk lamp/ }).waitFor();
    },
  },
  {
    name: 'keyboard shortcuts',
    path: '/admin/users',
    as: 'admin',
    shows: 'Last Login',
    after: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'leaving a form',
    path: '/owner/create-package',
    as: 'owner',
    shows: 'Create New Package',
    after: async (page) => {
      await page.getByLabel('Package Name').fill('Half a lamp');
      await dialog((shown) => shown.getByRole('link', { name: 'Cancel' }).click(), 'Leave this page?')(page);
    },
  },
  {
    name: 'discarding in a dialog',
    path: '/admin/users',
    as: 'admin',
    shows: 'Add User',
    after: async (page) => {
      await press('Add User')(page);
      await page.getByRole('dialog').getByLabel('Name').fill('Nora');
      await dialog((shown) => shown.keyboard.press('Escape'), 'Discard changes?')(page);
    },
  },
  {
    name: 'owner dashboard without packages',
    path: '/owner/dashboard',
    as: 'newOwner',
    shows: 'You have no packages yet',
  },
  {
    name: 'owner dashboard without hits',
    path: '/owner/dashboard?q=nothing-like-it',
    as: 'owner',
    shows: 'No packages found matching your criteria.',
  },
  {
    name: 'owner dashboard, a package open',
    path: '/owner/dashboard',
    as: 'owner',
    shows: 'Noise-cancelling headphones',
    after: async (page) => {
      await page.getByRole('link', { name: /^Espresso machine/ }).click();
      await page.getByRole('heading', { name: 'Carrier' }).waitFor();
    },
  },
  {
    name: 'owner dashboard, rows selected',
    path: '/owner/dashboard',
    as: 'owner',
    shows: 'Noise-cancelling headphones',
    after: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await page.getByRole('button', { name: 'Copy links' }).waitFor();
    },
  },
  {
    name: 'owner dashboard, cancelling several',
    path: '/owner/dashboard',
    as: 'owner',
    shows: 'Noise-cancelling headphones',
    after: dialog(async (page) => {
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await press('Cancel...')(page);
    }, 'Are you sure you want to cancel'),
  },
  {
    name: 'owner dashboard, deleting',
    path: '/owner/dashboard',
    as: 'owner',
    shows: 'Noise-cancelling headphones',
    after: dialog(async (page) => {
      await press('More actions for Noise-cancelling headphones')(page);
      await page.getByRole('menuitem', { name: 'Delete package...' }).click();
    }, 'Are you sure you want to delete this package?'),
  },
  { name: 'create package', path: '/owner/create-package', as: 'owner', shows: 'Create New Package' },
  {
    name: 'create package with faults',
    path: '/owner/create-package',
    as: 'owner',
    shows: 'Create New Package',
    after: press('Create Package'),
  },
  {
    name: 'create package with pictures',
    path: '/owner/create-package',
    as: 'owner',
    shows: 'Create New Package',
    after: chooseFiles('Add images', images),
  },
  { name: 'package in transit', path: '/owner/package/{id}', as: 'owner', status: 'in transit', shows: 'Carrier Info' },
  {
    name: 'package delivered',
    path: '/owner/package/{id}',
    as: 'owner',
    status: 'delivered',
    shows: 'Tracking ID',
  },
  {
    name: 'edit a waiting package',
    path: '/owner/package/{id}/edit',
    as: 'owner',
    status: 'processing',
    shows: 'Save Changes',
  },
  {
    name: 'edit a package on the road',
    path: '/owner/package/{id}/edit',
    as: 'owner',
    status: 'in transit',
    shows: 'Instructions for the driver',
  },
  { name: 'issues of an owner', path: '/owner/incidents', as: 'owner', shows: 'Reported Issues' },
  { name: 'issues of a driver', path: '/driver/incidents', as: 'driver', shows: 'Reported Issues' },
  {
    name: 'package of nobody',
    path: '/owner/package/nothing',
    as: 'owner',
    shows: /No package found|Error:/,
  },
  {
    name: 'carrier of a package',
    path: '/owner/package/{id}',
    as: 'owner',
    status: 'in transit',
    shows: 'Carrier Info',
    after: dialog(press('Carrier Info'), 'Dana Driver'),
  },
  {
    name: 'carrier of a package without one',
    path: '/owner/package/{id}',
    as: 'owner',
    status: 'processing',
    shows: 'Carrier Info',
    after: dialog(press('Carrier Info'), 'No Carrier Information Available'),
  },
  {
    name: 'reporting an issue',
    path: '/owner/package/{id}',
    as: 'owner',
    status: 'in transit',
    shows: 'Report Issue',
    after: dialog(press('Report Issue'), 'Report'),
  },
  {
    name: 'rating a delivery',
    path: '/owner/package/{id}',
    as: 'owner',
    status: 'delivered',
    shows: 'Rate Delivery Experience',
    after: dialog(press('Rate Delivery Experience'), 'How was the delivery?'),
  },
  {
    name: 'receipt of a delivery',
    path: '/owner/package/{id}/receipt',
    as: 'owner',
    status: 'delivered',
    shows: 'Proof of delivery',
  },
  { name: 'notifications', path: '/notifications', as: 'owner', shows: 'Mark all as read' },
  {
    name: 'notifications without any',
    path: '/notifications',
    as: 'newOwner',
    shows: 'No notifications yet',
  },
  {
    name: 'unread notifications',
    path: '/notifications?show=unread',
    as: 'owner',
    shows: 'Mark all as read',
  },
  {
    name: 'notification preferences',
    path: '/notifications/preferences',
    as: 'admin',
    shows: 'This cannot be turned off',
  },
  { name: 'first day of an owner', path: '/first-day', as: 'newOwner', shows: 'A first day' },
  { name: 'first day of a driver', path: '/first-day', as: 'newDriver', shows: 'Your first day' },
  { name: 'first day of an administrator', path: '/first-day', as: 'admin', shows: 'A first day' },
  { name: 'driver dashboard', path: '/driver/dashboard', as: 'driver', shows: 'First aid supplies' },
  {
    name: 'driver phone, load check',
    path: '/driver/dashboard',
    as: 'driver',
    phone: true,
    shows: 'Your round',
    after: async (page) => {
      await page.getByText('Your round').first().click();
      await page.getByText('Tick or scan what is in the van.').waitFor();
    },
  },
  { name: 'manifest of a driver', path: '/driver/routes/{route}/manifest', as: 'driver', shows: 'Manifest' },
  { name: 'driver phone, next stop', path: '/driver/dashboard', as: 'driver', phone: true, shows: 'Details' },
  {
    name: 'driver phone, stops',
    path: '/driver/dashboard?show=mine',
    as: 'driver',
    phone: true,
    shows: 'Back to the stop',
  },
  { name: 'driver phone, no stops', path: '/driver/dashboard', as: 'newDriver', phone: true, shows: 'No stops yet' },
  {
    name: 'driver phone, handing over',
    path: '/driver/dashboard',
    as: 'driver',
    phone: true,
    shows: 'Details',
    after: async (page) => {
      await press('Open menu')(page);
      await dialog(
        (shown) => shown.getByRole('menuitem', { name: 'Complete Delivery' }).click(),
        'This cannot be undone',
      )(page);
    },
  },
  {
    name: 'driver dashboard, what is done',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'First aid supplies',
    after: async (page) => {
      const today = page.getByText(/^Done today/);
      await today
        .or(page.getByText(/^Done earlier/))
        .first()
        .waitFor();
      // After midnight nothing is done yet.
      if (await today.isVisible()) await today.click();
    },
  },
  {
    name: 'choosing how to navigate',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'First aid supplies',
    after: async (page) => {
      await page.getByRole('button', { name: 'Choose the app to navigate with' }).first().click();
      await page.getByRole('menuitem', { name: 'Waze' }).waitFor();
    },
  },
  {
    name: 'driver dashboard, pending',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'My Deliveries',
    after: tab(/Pending Deliveries/),
  },
  {
    name: 'driver dashboard, completed',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'My Deliveries',
    after: tab(/Completed Deliveries/),
  },
  {
    name: 'driver dashboard without deliveries',
    path: '/driver/dashboard',
    as: 'newDriver',
    shows: 'My Deliveries',
  },
  { name: 'driver preview', path: '/driver/dashboard', shows: 'My Deliveries' },
  {
    name: 'starting a delivery',
    path: '/driver/dashboard',
    as: 'newDriver',
    shows: 'My Deliveries',
    after: async (page) => {
      await tab(/Pending Deliveries/)(page);
      await dialog(press('Start Delivery'), 'Confirm Start Delivery')(page);
    },
  },
  {
    name: 'details of a delivery',
    path: '/driver/dashboard',
    as: 'newDriver',
    shows: 'My Deliveries',
    after: async (page) => {
      await tab(/Pending Deliveries/)(page);
      await dialog(press('Package Details'), 'Package Details')(page);
    },
  },
  {
    name: 'completing a delivery',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'First aid supplies',
    after: dialog(press('Complete Delivery'), 'Confirm Complete Delivery'),
  },
  {
    name: 'completing a delivery with a photo',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'First aid supplies',
    after: async (page) => {
      await dialog(press('Complete Delivery'), 'Confirm Complete Delivery')(page);
      await chooseFiles('Add photo', images.slice(0, 1))(page);
    },
  },
  {
    name: 'reporting a location',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'First aid supplies',
    after: async (page) => {
      await press(/^More actions/)(page);
      await dialog((shown) => shown.getByRole('menuitem', { name: 'Report location' }).click(), 'Location')(page);
    },
  },
  {
    name: 'failing a delivery',
    path: '/driver/dashboard',
    as: 'driver',
    shows: 'First aid supplies',
    after: async (page) => {
      await press(/^More actions/)(page);
      await dialog((shown) => shown.getByRole('menuitem', { name: 'Delivery failed' }).click(), 'Reason')(page);
    },
  },
  { name: 'users', path: '/admin/users', as: 'admin', shows: 'Last Login' },
  { name: 'users without hits', path: '/admin/users?q=nobody', as: 'admin', shows: 'No users found' },
  {
    name: 'adding a user',
    path: '/admin/users',
    as: 'admin',
    shows: 'Add User',
    after: dialog(press('Add User'), 'Create New User'),
  },
  {
    name: 'adding a user with a custom role',
    path: '/admin/users',
    as: 'admin',
    shows: 'Add User',
    after: async (page) => {
      await dialog(press('Add User'), 'Create New User')(page);
      await page.getByLabel('Custom Role').selectOption({ label: 'Night desk' });
    },
  },
  {
    name: 'suspending a driver',
    path: '/admin/users?q=Dana',
    as: 'admin',
    shows: 'Last Login',
    after: async (page) => {
      await choose('Edit')(page);
      await page.getByRole('dialog').getByLabel('Status').selectOption('suspended');
      await page.getByRole('radio', { name: /^Give to another driver/ }).check();
      await page.getByRole('dialog').getByLabel('Driver', { exact: true }).waitFor();
    },
  },
  {
    name: 'suspending several accounts',
    path: '/admin/users',
    as: 'admin',
    shows: 'Last Login',
    after: async (page) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await dialog(press('Suspend...'), 'Their deliveries under way')(page);
    },
  },
  {
    name: 'deleting a driver',
    path: '/admin/users?q=Dana',
    as: 'admin',
    shows: 'Last Login',
    after: dialog(choose('Delete...'), 'What happens to them?'),
  },
  {
    name: 'permissions of a user',
    path: '/admin/users',
    as: 'admin',
    shows: 'Last Login',
    after: dialog(choose('View permissions'), 'User Role & Permissions'),
  },
  { name: 'admin dashboard', path: '/admin/dashboard', as: 'admin', shows: 'Delivery Performance' },
  {
    name: 'rows behind a figure',
    path: '/admin/dashboard?figure=activePackages',
    as: 'admin',
    shows: 'Clear Filter',
  },
  {
    name: 'incident',
    path: '/admin/dashboard?figure=openIssues',
    as: 'admin',
    shows: 'Clear Filter',
    after: dialog(press(/^View incident/), 'Reported by'),
  },
  {
    name: 'assigning a driver from an incident',
    path: '/admin/dashboard?figure=openIssues',
    as: 'admin',
    shows: 'Clear Filter',
    after: async (page) => {
      const row = page.locator('tr').filter({ hasText: 'Cookbook trio' });
      await dialog(() => row.getByRole('button', { name: /^View incident/ }).click(), 'Reported by')(page);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^More actions/ })
        .click();
      await page.getByRole('menuitem', { name: /^Assign/ }).click();
      await page
        .getByRole('dialog')
        .getByText(/From: /)
        .waitFor();
    },
  },
  {
    name: 'photo of an incident',
    path: '/admin/dashboard?figure=openIssues',
    as: 'admin',
    shows: 'Clear Filter',
    after: async (page) => {
      const row = page.locator('tr').filter({ hasText: 'Ceramic tea set' });
      await dialog(() => row.getByRole('button', { name: /^View incident/ }).click(), 'Reported by')(page);
      await page.getByRole('img', { name: /^Incident/ }).waitFor();
    },
  },
  {
    name: 'taking a delivery back',
    path: '/admin/dashboard',
    as: 'admin',
    shows: 'Next stop',
    after: async (page) => {
      await page.getByText('All packages of the drivers above').click();
      await press(/^More actions/)(page);
      await dialog((shown) => shown.getByRole('menuitem', { name: 'Delivery failed' }).click(), 'Reason')(page);
    },
  },
  {
    name: 'package for an administrator',
    path: '/admin/package/{id}',
    as: 'admin',
    status: 'processing',
    shows: 'Assign driver',
  },
  {
    name: 'package for an administrator, collected at the depot',
    path: '/admin/package/{id}',
    as: 'admin',
    status: 'processing',
    shows: 'Assign driver',
    after: dialog(press('Collected at the depot'), 'Received by'),
  },
  {
    name: 'package on the road for an administrator',
    path: '/admin/package/{id}',
    as: 'admin',
    status: 'in transit',
    shows: 'Assign another driver',
  },
  {
    name: 'package for an administrator, deleting',
    path: '/admin/package/{id}',
    as: 'admin',
    status: 'cancelled',
    shows: 'This package was cancelled',
    after: dialog(press('Delete package'), 'Are you sure you want to delete this package?'),
  },
  {
    name: 'receipt for an administrator',
    path: '/admin/package/{id}/receipt',
    as: 'admin',
    status: 'delivered',
    shows: 'Proof of delivery',
  },
  {
    name: 'edit a package as an administrator',
    path: '/admin/package/{id}/edit',
    as: 'admin',
    status: 'processing',
    shows: 'Save Changes',
  },
  { name: 'reports', path: '/admin/reports', as: 'admin', shows: 'Customer Satisfaction' },
  {
    name: 'reports of chosen days, in the wrong order',
    path: '/admin/reports?from=2026-01-10&to=2026-02-05',
    as: 'admin',
    shows: '27 days before',
    after: async (page) => {
      await page.getByLabel('To', { exact: true }).fill('2026-01-09');
      await page.getByText('The last day must not be before the first.').waitFor();
    },
  },
  {
    name: 'reports by driver, with the packages of one',
    path: '/admin/reports?by=driver',
    as: 'admin',
    shows: 'Stops an hour',
    after: async (page) => {
      const table = page.getByRole('table', { name: 'Figures by Driver' });
      await table
        .getByRole('button', { name: /^[A-Z][a-z]+ [A-Z]/ })
        .first()
        .click();
      await page.getByRole('heading', { name: /^Finished attempts: / }).waitFor();
    },
  },
  { name: 'settings', path: '/admin/settings', as: 'admin', shows: 'Organisation Name' },
  {
    name: 'settings of sign-up',
    path: '/admin/settings?tab=sign-up',
    as: 'admin',
    shows: 'Whoever can reach this server',
  },
  {
    name: 'settings of the public page',
    path: '/admin/settings?tab=public-page',
    as: 'admin',
    shows: '30 days after',
  },
  {
    name: 'settings of retention',
    path: '/admin/settings?tab=retention',
    as: 'admin',
    shows: 'Fixed periods',
  },
  {
    name: 'texts of messages',
    path: '/admin/settings?tab=messages',
    as: 'admin',
    shows: 'Preview with examples',
  },
  { name: 'personal data', path: '/admin/settings?tab=persons', as: 'admin', shows: 'Name, email or phone' },
  { name: 'depots', path: '/admin/settings?tab=depots', as: 'admin', shows: 'Harbour Street 1' },
  {
    name: 'adding a depot',
    path: '/admin/settings?tab=depots',
    as: 'admin',
    shows: 'Harbour Street 1',
    after: dialog(press('Add Depot'), 'Where packages wait'),
  },
  { name: 'settings of the map', path: '/admin/settings?tab=map', as: 'admin', shows: 'Choose an .osm.pbf file' },
  { name: 'roles', path: '/admin/settings?tab=roles', as: 'admin', shows: 'Built-in' },
  {
    name: 'adding a role',
    path: '/admin/settings?tab=roles',
    as: 'admin',
    shows: 'Built-in',
    after: dialog(press('Add Role'), 'Create New Role'),
  },
  {
    name: 'link for a new password',
    path: '/admin/users',
    as: 'admin',
    shows: 'Last Login',
    after: dialog(choose('Link for a new password...'), 'Link for a new password'),
  },
  {
    name: 'sessions of a user',
    path: '/admin/users',
    as: 'admin',
    shows: 'Last Login',
    after: dialog(choose('Sessions'), 'Sign Out Everywhere'),
  },
  {
    name: 'changing the rights of a user',
    path: '/admin/users',
    as: 'admin',
    shows: 'Last Login',
    after: async (page) => {
      await choose('View permissions')(page);
      await dialog(press('Change Role & Permissions'), 'Custom Role')(page);
    },
  },
  {
    name: 'schedule',
    path: '/admin/schedule',
    as: 'admin',
    shows: 'Copy Week',
    // By role: the hidden week list of phones has the name too.
    after: (page) => page.getByRole('rowheader', { name: /Dana Driver/ }).waitFor(),
  },
  { name: 'schedule without hits', path: '/admin/schedule?q=nobody', as: 'admin', shows: 'No drivers found' },
  {
    name: 'schedule, adding a shift',
    path: '/admin/schedule',
    as: 'admin',
    shows: 'Copy Week',
    after: dialog(press('Add Shift'), 'The driver sees it'),
  },
  {
    name: 'schedule, copying a week',
    path: '/admin/schedule',
    as: 'admin',
    shows: 'Copy Week',
    after: dialog(press('Copy Week'), 'the next week'),
  },
  { name: 'dispatch', path: '/admin/dispatch', as: 'admin', shows: 'waiting' },
  {
    name: 'dispatch, splitting evenly',
    path: '/admin/dispatch',
    as: 'admin',
    shows: 'waiting',
    after: async (page) => {
      await page.getByRole('checkbox', { name: 'Select everything that matches' }).check();
      await dialog(press('Split evenly'), 'Routes without a driver yet')(page);
    },
  },
  {
    name: 'dispatch, planning the day',
    path: '/admin/dispatch',
    as: 'admin',
    shows: 'waiting',
    after: dialog(press('Plan the day'), 'Drivers without a route on this day'),
  },
  {
    name: 'dispatch, assigning',
    path: '/admin/dispatch',
    as: 'admin',
    shows: 'waiting',
    after: async (page) => {
      await page.getByRole('checkbox', { name: 'Select everything that matches' }).check();
      await dialog(press('Assign to...'), 'Dana Driver')(page);
    },
  },
  {
    name: 'dispatch, the menu of a route',
    path: '/admin/dispatch',
    as: 'admin',
    shows: 'waiting',
    after: async (page) => {
      // Phones show either what waits or the routes.
      const routes = page.getByRole('button', { name: /^Routes/ });
      if (await routes.isVisible()) await routes.click();
      await press('Actions for the route of Dana Driver')(page);
      await page.getByRole('menuitem', { name: 'Driver is ill...' }).waitFor();
    },
  },
  {
    name: 'dispatch, a driver is ill',
    path: '/admin/dispatch',
    as: 'admin',
    shows: 'waiting',
    after: dialog(async (page) => {
      await press('Actions for the route of Dana Driver')(page);
      await page.getByRole('menuitem', { name: 'Driver is ill...' }).click();
    }, 'stops'),
  },
  {
    name: 'dispatch, timeline',
    path: '/admin/dispatch?view=timeline&show=routes',
    as: 'admin',
    shows: 'Show as a table',
    after: (page) => page.getByText('Dana Driver').first().waitFor(),
  },
  { name: 'manifest of a route', path: '/admin/dispatch/routes/{route}/manifest', as: 'admin', shows: 'Manifest' },
  {
    name: 'dispatch without hits',
    path: '/admin/dispatch?q=nothing',
    as: 'admin',
    shows: 'Nothing matches these filters',
  },
  { name: 'inventory', path: '/admin/inventory', as: 'admin', shows: 'Harbour Street hub' },
  {
    name: 'inventory without hits',
    path: '/admin/inventory?q=nowhere',
    as: 'admin',
    shows: 'No places found',
  },
  {
    name: 'inventory, packages behind a count',
    path: '/admin/inventory?status=processing',
    as: 'admin',
    shows: 'All places: Processing',
  },
  {
    name: 'inventory, assigning a driver',
    path: '/admin/inventory',
    as: 'admin',
    shows: 'Harbour Street hub',
    after: dialog(press(/^Assign driver/), 'Dana Driver'),
  },
  {
    name: 'inventory, a package beside its list',
    path: '/admin/inventory?status=processing',
    as: 'admin',
    shows: 'All places: Processing',
    after: async (page) => {
      await page.locator('[data-row-link][href]').first().click();
      await page.getByRole('heading', { name: 'History' }).waitFor();
    },
  },
  { name: 'audit log', path: '/admin/audit', as: 'admin', shows: '127.0.0.1' },
  {
    name: 'an entry of the audit log',
    path: '/admin/audit',
    as: 'admin',
    shows: '127.0.0.1',
    after: async (page) => {
      await page.locator('[data-row-link]').first().click();
      await page.getByText('Device', { exact: true }).waitFor();
    },
  },
  {
    name: 'audit log without hits',
    path: '/admin/audit?q=nobody',
    as: 'admin',
    shows: 'No entries found',
  },
  { name: 'seen contacts', path: '/admin/audit?tab=contacts', as: 'admin', shows: /PKG-/ },
  {
    name: 'seen contacts without hits',
    path: '/admin/audit?tab=contacts&package=none',
    as: 'admin',
    shows: 'No contact views found',
  },
  { name: 'sent notifications', path: '/admin/notifications', as: 'admin', shows: 'the disk is full' },
  {
    name: 'a sent notification that failed',
    path: '/admin/notifications?state=failed',
    as: 'admin',
    shows: 'the disk is full',
    after: async (page) => {
      await page.locator('[data-row-link]').first().click();
      await page.getByText('Error of the latest attempt').waitFor();
    },
  },
  {
    name: 'an email that is held',
    path: '/admin/notifications?channel=email',
    as: 'admin',
    shows: 'Held',
    after: async (page) => {
      await page.locator('[data-row-link]').first().click();
      await page.getByText('What it would say').waitFor();
      await page.getByText('You get this email because').waitFor();
    },
  },
  {
    name: 'sent notifications without hits',
    path: '/admin/notifications?q=nobody',
    as: 'admin',
    shows: 'No notifications found',
  },
  { name: 'messages', path: '/admin/messages', as: 'admin', shows: 'Reply' },
  {
    name: 'messages without hits',
    path: '/admin/messages?q=nothing-like-it',
    as: 'admin',
    shows: 'No messages found',
  },
  { name: 'account', path: '/account', as: 'driver', shows: 'This device' },
  {
    name: 'account, setting up a second factor',
    path: '/account',
    as: 'newOwner',
    shows: 'This device',
    after: async (page) => {
      await press('Set Up Second Factor')(page);
      await page.getByText('Scan this with an authenticator app').waitFor();
    },
  },
  { name: 'address book', path: '/owner/addresses', as: 'owner', shows: 'Add Address' },
  {
    name: 'adding an address',
    path: '/owner/addresses',
    as: 'owner',
    shows: 'Add Address',
    after: dialog(press('Add Address'), 'its pin shows drivers the door'),
  },
  {
    name: 'deleting the own account',
    path: '/account',
    as: 'newDriver',
    shows: 'This device',
    after: dialog(press('Delete my account'), 'Delete your account?'),
  },
  { name: 'import of packages', path: '/owner/import', as: 'owner', shows: 'Choose a CSV file' },
  {
    name: 'import, what it would make',
    path: '/owner/import',
    as: 'owner',
    shows: 'Choose a CSV file',
    after: async (page) => {
      await page.getByLabel(/Choose a CSV file/).setInputFiles(orders);
      await page.getByRole('button', { name: 'Import 3 packages' }).waitFor();
    },
  },
  {
    name: 'import, choosing columns',
    path: '/owner/import',
    as: 'owner',
    shows: 'Choose a CSV file',
    after: async (page) => {
      await page
        .getByLabel(/Choose a CSV file/)
        .setInputFiles(
          csv(
            'Bestellung,Empfaenger,Telefon,Strasse,Ort,Was',
            'A-1,Mara Lindqvist,+49 151 2345678,Hafenstr. 5,Hamburg,A lamp of walnut and brass',
          ),
        );
      await page.getByLabel('What Empfaenger stands for').waitFor();
    },
  },
  {
    name: 'import, mending rows',
    path: '/owner/import',
    as: 'owner',
    shows: 'Choose a CSV file',
    after: async (page) => {
      await page
        .getByLabel(/Choose a CSV file/)
        .setInputFiles(
          csv(
            'name,description,category,weight,recipientName,recipientContact',
            'Lamp,A lamp of walnut and brass,Furniture,2.5,Mara Lindqvist,+49 151 2345678',
            'Clock,Strikes,Furniture,heavy,Ox,123',
            'Ox,A kettle of beaten copper,Kitchen,1,Jon Okafor,+49 151 2345679',
          ),
        );
      await page.getByText('Recipient name must be at least 3 characters').waitFor();
    },
  },
];

export const sizes = {
  wide: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  desk: { width: 1920, height: 1080 },
  // Last: a driver's phone is another screen, which forgets what was unfolded.
  narrow: { width: 390, height: 844 },
};

/** The password is asked for again 15 minutes after it was given; pictures of all screens take longer. */
const proofMs = 8 * 60_000;

export interface BrowserSession {
  /** Opens a screen in its state, wide (or as a phone) and light. Each account reuses its window for all screens. */
  show(screen: Screen): Promise<Window>;
  /** Photographs and closes the window in which a screen failed: the next screen of the account gets a new one. */
  drop(screen: Screen, picture: string): Promise<void>;
  close(): Promise<void>;
}

/** Two messages, one of them resolved, and a dead-lettered notification. */
async function fillNotifications(product: RunningProduct, token: string, packageId: string): Promise<void> {
  const { contact } = product.api(token);
  await contact.send({
    body: { name: 'Jon Okafor', email: 'jon@example.com', message: 'I cannot sign in any more. Can you help me?' },
  });
  const [first] = (await contact.list()).items;
  await contact.move({ params: { id: String(first?.id) }, body: { status: 'Resolved' } });
  const message = 'My parcel was to come on Tuesday.\nIt is Friday now, and nobody answers the bell at the depot.';
  await contact.send({
    body: { name: 'Mara Lindqvist', email: 'mara@example.com', message, trackingId: 'PKG-ABCD1234' },
  });
  await createDeadLetter(product, packageId);
}

/** @param product must run with DEMO=on */
export async function openBrowserSession(product: RunningProduct, browser: Browser): Promise<BrowserSession> {
  const password = /password for all three: ([\w-]+)/.exec(product.output())?.[1] ?? '';
  const login = (role: string) => product.api().auth.login({ body: { email: `${role}@demo.example`, password } });
  const newPassword = 'pond-heron-7';
  const register = (role: 'owner' | 'driver') =>
    product
      .api()
      .auth.register({ body: { name: `New ${role}`, email: `${role}@example.com`, password: newPassword, role } });
  const admin = await login('admin');
  const invited = await product
    .api(admin.token)
    .users.create({ body: { name: 'Ines New', email: 'ines@example.com' } });
  const accounts: Record<Person, SignedIn> = {
    owner: await login('owner'),
    driver: await login('driver'),
    admin,
    newOwner: await register('owner'),
    newDriver: await register('driver'),
    invited: await product
      .api()
      .auth.login({ body: { email: invited.email, password: invited.temporaryPassword ?? '' } }),
  };
  const provedAt = new Map<Person, number>();
  const signedInAt = Date.now();
  async function prove(person: Person): Promise<void> {
    // Whoever has to change the password can do nothing else.
    if (person === 'invited' || Date.now() - (provedAt.get(person) ?? signedInAt) < proofMs) return;
    const isNew = person === 'newOwner' || person === 'newDriver';
    await product.api(accounts[person].token).auth.confirm({ body: { password: isNew ? newPassword : password } });
    provedAt.set(person, Date.now());
  }
  const { owner } = accounts;
  const { items } = await product.api(owner.token).packages.listOfUser({ params: { id: owner.id } });
  const packages = new Map(
    items
      .toReversed()
      .flatMap((pkg) => [
        [pkg.status as string, pkg] as const,
        ...(pkg.failedAttempt ? [['failed', pkg] as const] : []),
      ]),
  );
  const links = new Map<string, string>();
  for (const status of ['out for delivery', 'delivered']) {
    const { url } = await product.api(owner.token).recipients.link({ params: { id: packages.get(status)?.id ?? '' } });
    links.set(status, url.replace(new URL(url).origin, ''));
  }
  const { items: routes } = await product.api(accounts.driver.token).routes.mine({ query: {} });
  await fillNotifications(product, admin.token, packages.get('delivered')?.id ?? '');
  const pathOf = ({ path, status = '' }: Screen) => {
    const pkg = packages.get(status);
    return path
      .replace('{id}', pkg?.id ?? '')
      .replace('{trackingId}', pkg?.trackingId ?? '')
      .replace('{recipient}', links.get(status) ?? '')
      .replace('{route}', routes.find(({ state }) => state === 'planned')?.id ?? '');
  };

  await product.api(admin.token).roles.create({
    body: { name: 'Night desk', description: 'Looks after deliveries at night', permissions: ['deliveries.view_all'] },
  });

  const windows = new Map<Person | undefined, Window>();
  async function windowOf(person: Person | undefined): Promise<Window> {
    const window =
      windows.get(person) ??
      (await openWatchedWindow(browser, {
        baseURL: product.url,
        token: person && accounts[person].token,
        expectFailures: /\/api\/contact|PKG-NOTTHERE|\/nothing|\/nowhere|users\/package/,
      }));
    windows.set(person, window);
    return window;
  }
  return {
    async show(screen) {
      if (screen.as) await prove(screen.as);
      const window = await windowOf(screen.as);
      const { page } = window;
      await page.setViewportSize(screen.phone ? sizes.narrow : sizes.wide);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(pathOf(screen));
      // In main only: the footer's links have the same texts.
      await page.locator('main').getByText(screen.shows).filter({ visible: true }).first().waitFor();
      await screen.after?.(page);
      await window.settled();
      return window;
    },
    async drop({ as }, picture) {
      const window = windows.get(as);
      await window?.page.screenshot({ path: picture }).catch(() => {});
      await window?.context.close();
      windows.delete(as);
    },
    async close() {
      for (const { context } of windows.values()) await context.close();
    },
  };
}
