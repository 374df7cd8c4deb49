import type { User } from '@waybill/contract';
import { builtInRoles, effectivePermissions } from '@waybill/contract';
import { expect, test } from 'vitest';
import { accessDenial, allowedHref } from './access.ts';

const session = (change: Partial<User>) => {
  const user: User = {
    id: '1',
    name: 'Ada',
    email: 'ada@example.com',
    role: 'owner',
    roleId: builtInRoles.owner.id,
    permissions: null,
    permissionsInForce: [],
    status: 'active',
    awaitsApproval: false,
    mustChangePassword: false,
    secondFactor: false,
    passwordResetRequestedAt: null,
    lastLogin: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    phone: null,
    profilePicture: null,
    yearsOfExperience: null,
    vehicleInfo: null,
    currentLocation: null,
    ...change,
  };
  return { user, permissions: effectivePermissions({ ...user, customRolePermissions: null }) };
};

test('nobody is sent to the login page', () => {
  expect(accessDenial({ user: null, permissions: [] }, {})).toEqual({
    title: 'Authentication Required',
    description: 'Please log in to access this resource',
    goTo: 'login',
  });
});

test.each(['inactive', 'suspended'] as const)('an account that is %s counts as suspended', (status) => {
  expect(accessDenial(session({ status }), {})).toMatchObject({
    title: 'Account Suspended',
    description: 'Your account is not active. Please contact support.',
    goTo: 'fallback',
  });
});

test('whoever signed in with a one-time password is sent to set a new one', () => {
  expect(accessDenial(session({ mustChangePassword: true }), {})).toMatchObject({
    title: 'New Password Required',
    goTo: 'new password',
  });
});

test('any one of the listed permissions suffices', () => {
  expect(accessDenial(session({}), { permissions: ['admin.access', 'packages.create'] })).toBeNull();
});

test('with requireAll every listed permission is needed', () => {
  expect(
    accessDenial(session({}), { permissions: ['admin.access', 'packages.create'], requireAll: true })?.description,
  ).toBe('You need all of these permissions: admin.access, packages.create');
});

test('a missing permission is named', () => {
  expect(accessDenial(session({}), { permissions: ['admin.manage_users', 'users.create'] })?.description).toBe(
    'You need one of these permissions: admin.manage_users, users.create',
  );
});

test('the role has to be among the listed', () => {
  expect(accessDenial(session({ role: 'driver' }), { roles: ['driver', 'admin'] })).toBeNull();
  expect(accessDenial(session({}), { roles: ['driver', 'admin'] })?.description).toBe(
    'You need one of these roles: driver, admin',
  );
});

test("the user's own list stands in place of the role's", () => {
  expect(
    accessDenial(session({ permissions: ['packages.read'] }), { permissions: ['packages.create'] }),
  ).not.toBeNull();
});

test('a page that was asked for opens for who may open it, and only on this site', () => {
  const asked = (href: string) => allowedHref({ href, requirement: { roles: ['owner'] } }, session({}));
  expect(asked('/owner/create-package?from=mail')).toBe('/owner/create-package?from=mail');
  for (const href of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])
    expect(asked(href)).toBeNull();
  expect(
    allowedHref({ href: '/owner/dashboard', requirement: { roles: ['owner'] } }, session({ role: 'driver' })),
  ).toBeNull();
  expect(allowedHref(undefined, session({}))).toBeNull();
});
