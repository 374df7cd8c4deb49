import type { AuditEntry } from '@waybill/contract';
import { expect, test } from 'vitest';
import { formatDayTime } from '../platform/formats.ts';
import { actorOf, detailsOf, idsOf, subjectOf } from './audit-texts.ts';

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: '2026-11-22T10:00:00.000Z',
  act: 'user.changed',
  actorId: 'a',
  actorName: 'Ada Admin',
  subjectId: 'b',
  subjectName: 'Dana Driver',
  address: null,
  device: null,
  times: 1,
  details: {},
  ...fields,
});

test.each<[Record<string, unknown>, string[]]>([
  [{ status: ['active', 'suspended'] }, ['Status: Active → Suspended']],
  [{ role: [null, 'admin'], status: [null, 'active'] }, ['Role: Admin', 'Status: Active']],
  [{ password: ['hidden', 'hidden'] }, ['Password changed']],
  [
    {
      permissions: [
        ['users.read', 'roles.read'],
        ['users.read', 'users.update'],
      ],
    },
    ['Permissions added: users.update', 'Permissions removed: roles.read'],
  ],
  [{ permissions: [null, ['users.read']] }, ['Permissions: users.read']],
  [{ driverSignUp: ['open', 'closed'] }, ['Driver sign up: open → closed']],
  [
    {
      role: [
        { name: 'Night', isActive: true },
        { name: 'Night', isActive: false },
      ],
    },
    ['Active: yes → no'],
  ],
  [{ endpoint: 'GET /api/users' }, ['GET /api/users']],
  [{ packages: ['x', 'y', 'z'] }, ['3 packages']],
  [{ session: 'own' }, []],
  [{ session: 'another' }, ['On another device']],
  [{ job: 'notify-owner', type: 'delivery.started' }, ['Job: notify-owner', 'Type: delivery.started']],
])('%j reads %j', (details, lines) => {
  expect(detailsOf(entry({ details }))).toEqual(lines);
});

test('ids are apart from what is read, and times are as everywhere', () => {
  const id = '01a20ac7-b0ba-7001-b6c8-1143a934615d';
  const startsAt = '2026-11-24T08:00:00.000Z';
  const endsAt = '2026-11-24T16:00:00.000Z';
  // As the database hands them out: short names first.
  const shift = { id, note: 'Early', endsAt, depotId: id, startsAt };
  const planned = entry({ details: { shift: [null, shift], packages: [id] } });
  expect(detailsOf(planned)).toEqual([
    'Note: Early',
    `Starts at: ${formatDayTime(startsAt)}`,
    `Ends at: ${formatDayTime(endsAt)}`,
    '1 package',
  ]);
  expect(idsOf(planned)).toEqual([
    { name: 'ID', id },
    { name: 'Depot ID', id },
  ]);
});

test('actor and subject have a fallback where no name is known', () => {
  expect(actorOf(entry({}))).toBe('Ada Admin');
  expect(actorOf(entry({ actorName: null }))).toBe('Account deleted');
  expect(actorOf(entry({ actorId: null, actorName: null }))).toBe('The system');
  expect(actorOf(entry({ act: 'session.refused', actorId: null, actorName: null }))).toBe('Not signed in');
  expect(subjectOf(entry({}))).toBe('Dana Driver');
  expect(subjectOf(entry({ subjectName: null }))).toBe('No longer there');
  expect(subjectOf(entry({ subjectId: 'a', subjectName: 'Ada Admin' }))).toBeNull();
  expect(subjectOf(entry({ act: 'session.refused', subjectId: null, subjectName: null }))).toBe('No such account');
  expect(subjectOf(entry({ subjectId: null, subjectName: null }))).toBeNull();
});
