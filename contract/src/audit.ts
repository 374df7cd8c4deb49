import { z } from 'zod';
import { Id, Instant, ListQuery, notACursor } from './common.ts';
import { group } from './endpoint.ts';

/** What is written down about people's rights and data. */
export const AuditAct = z.enum([
  'session.started',
  'session.refused',
  'user.created',
  'user.changed',
  'user.deleted',
  'password.link-made',
  'sessions.ended',
  'role.created',
  'role.changed',
  'role.deleted',
  'settings.changed',
  'contact.viewed',
  'packages.exported',
  'incidents.exported',
  'users.exported',
  'notifications.exported',
  'job.replayed',
  'inventory.exported',
  'shift.created',
  'shift.changed',
  'shift.deleted',
  'shifts.copied',
]);
export type AuditAct = z.output<typeof AuditAct>;

/** `id` is its place in the chain, without gaps. Accounts and packages are named by their ids: it outlives them. */
export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  act: AuditAct,
  actorId: z.string().nullable(),
  /** The account or package that it was done to. */
  subjectId: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const AuditQuery = ListQuery.omit({ q: true }).extend({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, notACursor)
    .optional(),
  act: AuditAct.optional(),
  actor: Id.optional(),
  subject: Id.optional(),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const audit = group({
  list: {
    method: 'GET',
    path: '/audit',
    summary: 'Who did what with other people’s rights and data',
    access: { anyOf: ['admin.system_config'] },
    scope: 'everything',
    query: AuditQuery,
    reply: z.array(AuditEntry),
    list: true,
  },
});
