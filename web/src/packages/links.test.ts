import { expect, test } from 'vitest';
import { packageHref, trackerLink } from './links.ts';

const pkg = { id: 'id', trackingId: 'PKG-ABCD1234' };

test('a package opens on a page that the reader may see', () => {
  expect(packageHref(pkg, { role: 'owner', permissions: ['packages.read'] })).toBe('/owner/package/id');
  expect(packageHref(pkg, { role: 'admin', permissions: ['packages.view_all'] })).toBe('/admin/package/id');
  expect(packageHref(pkg, { role: 'admin', permissions: ['admin.access'] })).toBe('/track/PKG-ABCD1234');
  expect(packageHref(pkg, { role: 'driver', permissions: [] })).toBe('/track/PKG-ABCD1234');
});

test('the tracker link is absolute, or null where the server makes no links', () => {
  expect(trackerLink('PKG-ABCD1234', 'https://packages.example')).toBe('https://packages.example/track/PKG-ABCD1234');
  expect(trackerLink('PKG-ABCD1234', null)).toBeNull();
});
