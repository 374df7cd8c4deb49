import type { Page } from 'playwright-core';
import { refuseConnections, press, respondEmptyError, type ScreenContext, type State } from './state.ts';

const comeAs = (page: Page, token: string) =>
  page.addInitScript((value) => localStorage.setItem('token', value), token);

async function fillRegistration({ page }: ScreenContext, email: string): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Name', { exact: true }).fill('Rita Register');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
  await page.getByLabel('Confirm Password').fill('pond-heron-7');
  await press(page, 'Create Account');
}

/** States without a session, or around its start and end. Each gets a window of its own. */
export const visitorStates: State[] = [
  {
    name: 'landing',
    texts: [
      'Seamless Package Delivery for the Modern World',
      'Track a Package',
      'Learn More',
      'Choose Your Role',
      'Ready to Get Started?',
      'Create Your Account',
      'Dashboard',
      'Sign In',
      'Register',
      'For Users',
    ],
    open: async ({ page }) => void (await page.goto('/')),
  },
  {
    name: 'not found',
    texts: [
      'Package Not Found',
      "The page you're looking for doesn't exist or has been moved to another location.",
      'Return Home',
    ],
    open: async ({ page }) => void (await page.goto('/nowhere')),
  },
  {
    name: 'tracker',
    texts: [
      'Track Your Package',
      'Enter your tracking ID to get real-time updates on your package status.',
      'Tracking ID must be at least 5 characters.',
    ],
    async open({ page }) {
      await page.goto('/track', { waitUntil: 'networkidle' });
      await page.getByLabel('Tracking ID').fill('abc');
      await press(page, /^Track$/);
    },
  },
  {
    name: 'tracker without a package',
    texts: [
      'Package not found',
      "We couldn't find a package with the tracking ID: {id}. Please check the ID and try again.",
    ],
    open: async ({ page }) => void (await page.goto('/track/PKG-NOTTHERE')),
  },
  {
    name: 'login with faults',
    texts: ['Please enter a valid email address', 'Password must be at least 6 characters'],
    async open({ page }) {
      await page.goto('/login');
      await page.getByLabel('Email').fill('nobody');
      await page.getByLabel('Password', { exact: true }).fill('abc');
      await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
    },
  },
  {
    name: 'login refused',
    texts: ['Login Failed', 'Invalid email or password. Please try again.'],
    async open({ page, fixtures }) {
      await page.goto('/login');
      await page.getByLabel('Email').fill(fixtures.owner.email);
      await page.getByLabel('Password', { exact: true }).fill('not this one');
      await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
    },
  },
  {
    name: 'login',
    texts: ['Login successful', 'Welcome back!'],
    async open({ page, fixtures }) {
      await page.goto('/login');
      await page.getByLabel('Email').fill(fixtures.owner.email);
      await page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
      await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
    },
  },
  {
    name: 'registration with faults',
    texts: ['Name must be at least 2 characters', "Passwords don't match"],
    async open({ page }) {
      await page.goto('/register');
      await page.getByLabel('Password', { exact: true }).fill('pond-heron-7');
      await page.getByLabel('Confirm Password').fill('pond-heron-8');
      await page.getByLabel('Email').fill('rita@example.com');
      await page.getByLabel('Name', { exact: true }).fill('R');
      await press(page, 'Create Account');
    },
  },
  {
    name: 'registration without an answer',
    texts: ['Registration failed', 'Something went wrong. Please try again.'],
    async open(context) {
      await respondEmptyError(context.page, /auth\/register/);
      await fillRegistration(context, 'rita@example.com');
    },
  },
  {
    name: 'registration',
    texts: ['Registration successful'],
    open: (context) => fillRegistration(context, 'rita@example.com'),
  },
  {
    name: 'forgotten password without an answer',
    texts: ['An error occurred'],
    async open({ page, fixtures }) {
      await respondEmptyError(page, /auth\/forgot/);
      await page.goto('/forgot');
      await page.getByLabel('Email').fill(fixtures.owner.email);
      await page.getByRole('main').getByRole('button').click();
    },
  },
  {
    name: 'a page for members',
    texts: ['Authentication Required', 'Please log in to access this resource'],
    open: async ({ page }) => void (await page.goto('/owner/dashboard')),
  },
  {
    name: 'preview of a start',
    texts: ['Please log in to start a delivery'],
    async open({ page }) {
      await page.goto('/driver/dashboard?show=pending');
      await press(page, 'Start Delivery');
    },
  },
  {
    name: 'preview of a completion',
    texts: ['Please log in to complete a delivery'],
    async open({ page }) {
      await page.goto('/driver/dashboard');
      await press(page, 'Complete Delivery');
    },
  },
  {
    name: 'a start without connection',
    texts: ['Failed to fetch user data.'],
    async open({ page, fixtures }) {
      await comeAs(page, fixtures.owner.token);
      await refuseConnections(page, /users\/me$/);
      await page.goto('/login');
    },
  },
  {
    name: 'a session that ended by itself',
    texts: ['Authentication required. Please log in again.'],
    async open({ page }) {
      await comeAs(page, 'ended');
      await page.goto('/driver/dashboard');
    },
  },
  {
    name: 'a suspended account',
    texts: ['Account Suspended', 'Your account is not active. Please contact support.'],
    async open({ page, fixtures }) {
      await comeAs(page, fixtures.suspended.token);
      await page.goto('/owner/dashboard');
    },
  },
  {
    name: 'dashboard of an administrator who may not see figures',
    texts: ['You do not have permission to perform this action'],
    async open({ page, fixtures }) {
      const { id } = fixtures.newAdmin;
      await fixtures.admin.api.users.update({ params: { id }, body: { permissions: ['admin.access'] } });
      await comeAs(page, fixtures.newAdmin.token);
      await page.goto('/admin/dashboard');
    },
  },
];
