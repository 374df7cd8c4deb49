import type { Page } from 'playwright-core';
import {
  respondBadGateway,
  refuseConnections,
  inDialog,
  press,
  respondEmptyError,
  type ScreenContext,
  type State,
} from './state.ts';

/** Chooses an item from the menu of a user's row. */
async function chooseOf(page: Page, name: string, item: string): Promise<void> {
  await press(page, `More actions for ${name}`);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function openNewUser({ page }: ScreenContext, email: string): Promise<void> {
  await page.goto('/admin/users');
  await press(page, 'Add User');
  await inDialog(page).getByLabel('Name').fill('Dora Driver');
  await inDialog(page).getByLabel('Email').fill(email);
  await inDialog(page)
    .getByRole('textbox', { name: /Password/ })
    .fill('pond-heron-7');
  await press(page, 'Create User');
}

export const adminStates: State[] = [
  {
    name: 'users',
    texts: [
      'User Management',
      'Manage users and control their permissions within the system',
      'Add User',
      'Search users...',
      'Never',
    ],
    async open({ page, fixtures }) {
      // An account created by an administrator has no last login yet.
      const body = {
        name: 'Vera Visitor',
        email: 'vera@example.com',
        role: 'owner',
        password: 'pond-heron-7',
      } as const;
      await fixtures.admin.api.users.create({ body });
      await page.goto('/admin/users');
    },
  },
  {
    name: 'permissions of a user',
    texts: ['User Role & Permissions', 'No specific permissions assigned. Using default role permissions.'],
    async open({ page }) {
      await page.goto('/admin/users');
      await chooseOf(page, 'Vera Visitor', 'View permissions');
    },
  },
  {
    name: 'a new user that the server cannot take',
    texts: ['Create New User', 'Error', 'Failed to save user'],
    async open(context) {
      await respondEmptyError(context.page, /api\/users$/);
      await openNewUser(context, 'dora@example.com');
    },
  },
  {
    name: 'a new user',
    texts: ['User created successfully.'],
    open: (context) => openNewUser(context, 'dora@example.com'),
  },
  {
    name: 'a user, changing',
    texts: ['Edit User'],
    async open({ page }) {
      await page.goto('/admin/users');
      await chooseOf(page, 'Dora Driver', 'Edit');
    },
  },
  {
    name: 'a changed user',
    texts: ['User updated successfully'],
    async open({ page }) {
      await page.goto('/admin/users');
      await chooseOf(page, 'Dora Driver', 'Edit');
      await inDialog(page).getByLabel('Role').selectOption('owner');
      await press(page, 'Save Changes');
    },
  },
  {
    name: 'a user that cannot be deleted',
    texts: ['Are you sure you want to delete this user?', 'Failed to delete user'],
    async open({ page }) {
      await refuseConnections(page, /api\/users\/(?!me)[\w-]+$/);
      await page.goto('/admin/users');
      await chooseOf(page, 'Dora Driver', 'Delete...');
      await inDialog(page).getByRole('button', { name: 'Delete' }).click();
    },
  },
  {
    name: 'a deleted user',
    texts: ['User deleted successfully'],
    async open({ page }) {
      await page.goto('/admin/users');
      await chooseOf(page, 'Dora Driver', 'Delete...');
      await inDialog(page).getByRole('button', { name: 'Delete' }).click();
    },
  },
  {
    name: 'users behind a broken proxy',
    texts: ['Failed to load users', 'API Error: {status}'],
    async open({ page }) {
      await respondBadGateway(page, /api\/users\?/);
      await page.goto('/admin/users');
    },
  },
  {
    name: 'dashboard without connection',
    texts: ['Error loading admin data'],
    async open({ page }) {
      await refuseConnections(page, /api\/(stats|incidents)/);
      await page.goto('/admin/dashboard');
    },
  },
];
