import type { Permission } from '@waybill/contract';
import { expect, test } from 'vitest';
import { linkOf } from './link.ts';

const owner = { role: 'owner', permissions: [] } as const;
const driver = { role: 'driver', permissions: [] } as const;
const admin = { role: 'admin', permissions: ['packages.view_all'] as Permission[] } as const;

const about = { packageId: 'id', trackingId: 'PKG-ABCD1234', incidentId: null };

test('a notification leads to what it is about, on a screen that its reader may see', () => {
  expect(linkOf({ ...about, type: 'delivery.started' }, owner)).toBe('/owner/package/id');
  expect(linkOf({ ...about, type: 'issue.reported', incidentId: 12345 }, owner)).toBe('/owner/package/id');
  expect(linkOf({ ...about, type: 'issue.reported', incidentId: 12345 }, admin)).toBe(
    '/admin/dashboard?incident=12345',
  );
  expect(linkOf({ ...about, type: 'delivery.failed' }, admin)).toBe('/admin/package/id');
  expect(linkOf({ ...about, type: 'delivery.assigned' }, driver)).toBe('/driver/dashboard?show=mine&q=PKG-ABCD1234');
  expect(linkOf({ ...about, type: 'package.rated' }, driver)).toBe('/driver/dashboard?show=completed&q=PKG-ABCD1234');
  // Only its end is told once the package is somebody else's, or nobody's yet.
  const masked = { ...about, trackingId: 'PKG-…234' };
  expect(linkOf({ ...masked, type: 'delivery.assigned' }, driver)).toBeNull();
  expect(linkOf({ ...masked, type: 'delivery.failed' }, { role: 'admin', permissions: ['admin.access'] })).toBeNull();
  const none = { packageId: null, trackingId: null, incidentId: null };
  expect(linkOf({ ...none, type: 'message.received' }, admin)).toBe('/admin/notifications?tab=messages');
  expect(linkOf({ ...none, type: 'password.reset-requested' }, admin)).toBe('/admin/users');
  expect(linkOf({ ...none, type: 'password.link-made' }, owner)).toBe('/account');
  expect(linkOf({ ...none, type: 'delivery.started' }, owner)).toBeNull();
});
