import { effectivePermissions } from '@waybill/contract';
import type { Role } from '@waybill/contract';
import { expect, test } from 'vitest';
import { commandsFor, filterCommands, trackCommand } from './commands.ts';
import { findShortcut } from './shortcuts.ts';
import { navItemsFor } from './navigation.ts';
import { pages } from './pages.ts';

const as = (role: Role) => {
  const user = { role, status: 'active' as const, mustChangePassword: false, permissions: null };
  const permissions = effectivePermissions({ ...user, customRolePermissions: null });
  // Of a user the guard looks at nothing else.
  return { user, permissions } as unknown as Parameters<typeof navItemsFor>[0];
};
const visitor = { user: null, permissions: [] };
const labels = (who: Parameters<typeof navItemsFor>[0]) => commandsFor(who).map(({ label }) => label);

test('everybody is offered their own pages and nobody else’s', () => {
  expect(labels(as('owner'))).toEqual(
    expect.arrayContaining(['Package Owner Dashboard', 'Create New Package', 'Logout']),
  );
  expect(labels(as('owner'))).not.toContain('User Management');
  expect(labels(as('driver'))).toContain('Driver Dashboard');
  expect(labels(as('driver'))).not.toContain('Create New Package');
  expect(labels(as('admin'))).toEqual(expect.arrayContaining(['Admin Dashboard', 'User Management', 'Reports']));
  expect(labels(visitor)).toEqual(expect.arrayContaining(['Sign In', 'Register', 'Track Package', 'Licenses']));
  expect(labels(visitor)).not.toContain('Logout');
});

test('who lacks a permission is not led to its page', () => {
  const owner = as('owner');
  expect(navItemsFor({ ...owner, permissions: ['packages.read'] }).map(({ href }) => href)).not.toContain(
    pages.createPackage.path,
  );
});

test.each(['owner', 'driver', 'admin'] as const)('no two shortcuts of an %s have the same keys', (role) => {
  const keys = navItemsFor(as(role)).flatMap((place) => place.keys ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});

test('all typed words have to fit, in any order; what begins with them comes first', () => {
  const commands = [{ label: 'Admin Dashboard' }, { label: 'Dark theme', words: 'night' }, { label: 'Dashboard' }];
  expect(filterCommands(commands, 'dash').map(({ label }) => label)).toEqual(['Dashboard', 'Admin Dashboard']);
  expect(filterCommands(commands, 'board admin').map(({ label }) => label)).toEqual(['Admin Dashboard']);
  expect(filterCommands(commands, 'NIGHT').map(({ label }) => label)).toEqual(['Dark theme']);
  expect(filterCommands(commands, ' ')).toEqual(commands);
  expect(filterCommands(commands, 'nothing like it')).toEqual([]);
});

test('what may be a tracking ID can be tracked', () => {
  expect(trackCommand('PKG-')).toEqual([]);
  expect(trackCommand('two words')).toEqual([]);
  const went: string[] = [];
  const doing = { go: (href: string) => void went.push(href), logout: () => {} };
  for (const { run } of trackCommand(' pkg-12a/b ')) run(doing);
  expect(went).toEqual(['/track/pkg-12a%2Fb']);
});

test('the keys of a shortcut come one after the other, in time', () => {
  const known = [{ keys: 'g d' }, { keys: 'c' }, { keys: 'd' }];
  const begun = findShortcut(known, { keys: '', at: 0 }, 'g', 0);
  expect(begun).toEqual({ shortcut: undefined, keys: 'g' });
  expect(findShortcut(known, { keys: 'g', at: 0 }, 'd', 1500).shortcut).toEqual({ keys: 'g d' });
  expect(findShortcut(known, { keys: 'g', at: 0 }, 'd', 1501).shortcut).toEqual({ keys: 'd' });
  expect(findShortcut(known, { keys: 'g', at: 0 }, 'c', 1).shortcut).toEqual({ keys: 'c' });
  expect(findShortcut(known, { keys: '', at: 0 }, 'x', 0)).toEqual({ shortcut: undefined, keys: '' });
});
