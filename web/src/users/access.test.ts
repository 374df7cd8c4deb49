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
    startPlace: null,
    endPlace: null,
    currentLocation: null,
    returnAddress: null,
    ...change,
  };
  return { user, permissions: effectivePermissions({ ...user, customRolePermissions: null }) };
};

test('a signed-out visitor is redirected to the login page', () => {
  expect(accessDenial({ user: null, permissions: [] }, {})).toEqual({
    title: 'Authentication Required',
    description: 'Please log in to access this resource',
    goTo: 'login',
  });
});

test.each(['inactive', 'suspended'] as const)('an account with status %s is denied as suspended', (status) => {
  expect(accessDenial(session({ status }), {})).toMatchObject({
    title: 'Account Suspended',
    description: 'Your account is not active. Please contact support.',
    goTo: 'fallback',
  });
});

test('a user with a one-time password is redirected to set a new one', () => {
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

test('the denial names the missing permissions', () => {
  expect(accessDenial(session({}), { permissions: ['admin.manage_users', 'users.create'] })?.description).toBe(
    'You need one of these permissions: admin.manage_users, users.create',
  );
});

test('the role must be one of those listed', () => {
  expect(accessDenial(session({ role: 'driver' }), { roles: ['driver', 'admin'] })).toBeNull();
  expect(accessDenial(session({}), { roles: ['driver', 'admin'] })?.description).toBe(
    'You need one of these roles: driver, admin',
  );
});

test("the user's own permission list replaces the role's", () => {
  expect(
    accessDenial(session({ permissions: ['packages.read'] }), { permissions: ['packages.create'] }),
  ).not.toBeNull();
});

test('a requested page opens only with access to it, and only on this site', () => {
  const requested = (href: string) => allowedHref({ href, requirement: { roles: ['owner'] } }, session({}));
  expect(requested('/owner/create-package?from=mail')).toBe('/owner/create-package?from=mail');
  for (const href of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])
    expect(requested(href)).toBeNull();
  expect(
    allowedHref({ href: '/owner/dashboard', requirement: { roles: ['owner'] } }, session({ role: 'driver' })),
  ).toBeNull();
  expect(allowedHref(undefined, session({}))).toBeNull();
});
