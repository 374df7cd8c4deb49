import * as z from 'zod/mini';
import { Id, Instant, ListQuery, invalidCursor, paging, text } from './common.ts';
import { group } from './endpoint.ts';
import { typesWhere } from './event-rules.ts';

/** The acts of the audit log: access to and changes of people's rights and data. */
export const AuditAct = z.enum([
  ...typesWhere({ audited: true }),
  // Acts without an audited event, or with more causes than that event.
  'session.ended',
  'session.refused',
  'password.reset-requested',
  'password.link-used',
  'permission.refused',
  /** Only in old entries: views are now stored outside the log, see ContactView. */
  'contact.viewed',
  'packages.exported',
  'incidents.exported',
  'users.exported',
  'notifications.exported',
  'inventory.exported',
  'figures.exported',
  'audit.exported',
  'job.replayed',
  'person.searched',
  'person.exported',
  'person.erased',
  'recipient-link.read',
  'recipient-link.renewed',
  'pin.released',
]);
export type AuditAct = z.output<typeof AuditAct>;

/**
 * `id` is the position in the hash chain, without gaps. Entries outlive accounts and packages, so they store only their ids. The names are
 * looked up: current, or null if deleted.
 */
export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  act: AuditAct,
  actorId: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  /** The account or package that was affected. */
  subjectId: z.nullable(z.string()),
  /** The account's name, or the package's tracking ID. */
  subjectName: z.nullable(z.string()),
  /** The IP address; null without a request, and after 90 days. */
  address: z.nullable(z.string()),
  /** The User-Agent; null as above. */
  device: z.nullable(z.string()),
  /** For refusals, which are aggregated: those of a minute or an hour are one entry. */
  times: z.int(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const numberCursor = z.optional(z.string().check(z.regex(/^\d{1,15}$/, invalidCursor)));

/** An account by id, or by a part of its name or email address. */
const Person = z.optional(text('Person', { max: 120 }));

/** `person` matches actor or subject; `from` and `to` filter by time. */
const AuditQuery = z.extend(z.omit(ListQuery, { q: true }), {
  cursor: numberCursor,
  act: z.optional(AuditAct),
  actor: z.optional(Id),
  subject: z.optional(Id),
  person: Person,
});
export type AuditQuery = z.output<typeof AuditQuery>;

const AuditExportQuery = z.omit(AuditQuery, paging);
export type AuditExportQuery = z.output<typeof AuditExportQuery>;

/** Views of a recipient's contact or address by somebody who is neither owner nor driver: aggregated per viewer, package and hour. */
export const ContactView = z.object({
  id: z.int(),
  packageId: z.string(),
  trackingId: z.nullable(z.string()),
  viewerId: z.string(),
  /** Null if the account is deleted. */
  viewerName: z.nullable(z.string()),
  firstAt: Instant,
  lastAt: Instant,
  /** How often within that hour. */
  times: z.int(),
});
export type ContactView = z.output<typeof ContactView>;

/** `package` is an id or a tracking ID, `person` the viewer. */
const ContactViewQuery = z.extend(z.omit(ListQuery, { q: true }), {
  cursor: numberCursor,
  package: z.optional(text('Package', { max: 40 })),
  person: Person,
});
export type ContactViewQuery = z.output<typeof ContactViewQuery>;

const auditAccess = { access: { anyOf: ['admin.system_config'] }, scope: 'everything' } as const;

export const audit = group({
  list: {
    method: 'GET',
    path: '/audit',
    summary: 'List the audit log: who accessed or changed other users’ permissions and data',
    failure: 'Failed to fetch the audit log.',
    ...auditAccess,
    query: AuditQuery,
    reply: z.array(AuditEntry),
    list: true,
  },
  exportAll: {
    method: 'GET',
    path: '/audit/export',
    summary: 'Export the audit log as CSV',
    failure: 'Failed to export the audit log.',
    ...auditAccess,
    query: AuditExportQuery,
    reply: 'csv',
  },
  contactViews: {
    method: 'GET',
    path: '/audit/contact-views',
    summary: 'List which staff viewed a recipient’s contact',
    failure: 'Failed to fetch who saw contacts.',
    ...auditAccess,
    query: ContactViewQuery,
    reply: z.array(ContactView),
    list: true,
  },
});
