import type { Permission } from '@waybill/contract';
import { expect, test } from 'vitest';
import { linkOf } from './link.ts';

const owner = { role: 'owner', permissions: [] } as const;
const driver = { role: 'driver', permissions: [] } as const;
const admin = { role: 'admin', permissions: ['packages.view_all'] as Permission[] } as const;

const subject = { packageId: 'id', trackingId: 'PKG-ABCD1234', incidentId: null };

test('a notification links to its subject, on a page that its reader may see', () => {
  expect(linkOf({ ...subject, type: 'delivery.started' }, owner)).toBe('/owner/package/id');
  expect(linkOf({ ...subject, type: 'issue.reported', incidentId: 12345 }, owner)).toBe('/owner/package/id');
  expect(linkOf({ ...subject, type: 'issue.reported', incidentId: 12345 }, admin)).toBe(
    '/admin/dashboard?incident=12345',
  );
  expect(linkOf({ ...subject, type: 'delivery.failed' }, admin)).toBe('/admin/package/id');
  expect(linkOf({ ...subject, type: 'delivery.assigned' }, driver)).toBe('/driver/dashboard?show=mine&q=PKG-ABCD1234');
  expect(linkOf({ ...subject, type: 'package.rated' }, driver)).toBe('/driver/dashboard?show=completed&q=PKG-ABCD1234');
  // The tracking ID is masked for readers who may not see the package.
  const masked = { ...subject, trackingId: 'PKG-…234' };
  expect(linkOf({ ...masked, type: 'delivery.assigned' }, driver)).toBeNull();
  expect(linkOf({ ...masked, type: 'delivery.failed' }, { role: 'admin', permissions: ['admin.access'] })).toBeNull();
  const noSubject = { packageId: null, trackingId: null, incidentId: null };
  expect(linkOf({ ...noSubject, type: 'message.received' }, admin)).toBe('/admin/messages');
  expect(linkOf({ ...noSubject, type: 'password.reset-requested' }, admin)).toBe('/admin/users');
  expect(linkOf({ ...noSubject, type: 'offer.declined' }, driver)).toBe('/driver/dashboard');
  expect(linkOf({ ...noSubject, type: 'password.link-made' }, owner)).toBe('/account');
  expect(linkOf({ ...noSubject, type: 'delivery.started' }, owner)).toBeNull();
});
