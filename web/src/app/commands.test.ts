import { effectivePermissions } from '@waybill/contract';
import type { Role } from '@waybill/contract';
import { expect, test } from 'vitest';
import { commandsFor, filterCommands, trackCommand } from './commands.ts';
import { findShortcut } from './shortcuts.ts';
import { navItemsFor } from './navigation.ts';
import { pages } from './pages.ts';
import { texts as english } from '@waybill/contract/texts/en';
import { setTexts } from '../platform/texts.ts';

setTexts(english);

const as = (role: Role) => {
  const user = { role, status: 'active' as const, mustChangePassword: false, permissions: null };
  const permissions = effectivePermissions({ ...user, customRolePermissions: null });
  // The guard reads no other fields of a user.
  return { user, permissions } as unknown as Parameters<typeof navItemsFor>[0];
};
const visitor = { user: null, permissions: [] };
const labels = (who: Parameters<typeof navItemsFor>[0]) => commandsFor(who).map(({ label }) => label);

test('users are offered the pages of their own role only', () => {
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

test('a page whose permission the user lacks is not offered', () => {
  const owner = as('owner');
  expect(navItemsFor({ ...owner, permissions: ['packages.read'] }).map(({ href }) => href)).not.toContain(
    pages.createPackage.path,
  );
});

test.each(['owner', 'driver', 'admin'] as const)('the shortcuts of role %s have distinct keys', (role) => {
  const keys = navItemsFor(as(role)).flatMap((item) => item.keys ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});

test('all typed words must match, in any order; prefix matches come first', () => {
  const commands = [{ label: 'Admin Dashboard' }, { label: 'Dark theme', words: 'night' }, { label: 'Dashboard' }];
  expect(filterCommands(commands, 'dash').map(({ label }) => label)).toEqual(['Dashboard', 'Admin Dashboard']);
  expect(filterCommands(commands, 'board admin').map(({ label }) => label)).toEqual(['Admin Dashboard']);
  expect(filterCommands(commands, 'NIGHT').map(({ label }) => label)).toEqual(['Dark theme']);
  expect(filterCommands(commands, ' ')).toEqual(commands);
  expect(filterCommands(commands, 'nothing like it')).toEqual([]);
});

test('input that may be a tracking ID offers a track command', () => {
  expect(trackCommand('PKG-')).toEqual([]);
  expect(trackCommand('two words')).toEqual([]);
  const visited: string[] = [];
  const context = { go: (href: string) => void visited.push(href), logout: () => {} };
  for (const { run } of trackCommand(' pkg-12a/b ')) run(context);
  expect(visited).toEqual(['/track/pkg-12a%2Fb']);
});

test('the keys of a sequence must follow each other within 1.5 s', () => {
  const shortcuts = [{ keys: 'g d' }, { keys: 'c' }, { keys: 'd' }];
  const partial = findShortcut(shortcuts, { keys: '', at: 0 }, 'g', 0);
  expect(partial).toEqual({ shortcut: undefined, keys: 'g' });
  expect(findShortcut(shortcuts, { keys: 'g', at: 0 }, 'd', 1500).shortcut).toEqual({ keys: 'g d' });
  expect(findShortcut(shortcuts, { keys: 'g', at: 0 }, 'd', 1501).shortcut).toEqual({ keys: 'd' });
  expect(findShortcut(shortcuts, { keys: 'g', at: 0 }, 'c', 1).shortcut).toEqual({ keys: 'c' });
  expect(findShortcut(shortcuts, { keys: '', at: 0 }, 'x', 0)).toEqual({ shortcut: undefined, keys: '' });
});
