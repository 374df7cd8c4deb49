import * as z from 'zod/mini';
import { Id, Instant, ListQuery, notACursor, paging, text } from './common.ts';
import { group } from './endpoint.ts';
import { typesWhere } from './event-rules.ts';

/** What is written down about people's rights and data. */
export const AuditAct = z.enum([
  ...typesWhere({ audited: true }),
  // Those that no event brings about, or not each.
  'session.ended',
  'session.refused',
  'password.reset-requested',
  'password.link-used',
  'permission.refused',
  /** Of old entries: views stand beside the log since, see ContactView. */
  'contact.viewed',
  'packages.exported',
  'incidents.exported',
  'users.exported',
  'notifications.exported',
  'inventory.exported',
  'audit.exported',
  'job.replayed',
]);
export type AuditAct = z.output<typeof AuditAct>;

/**
 * `id` is its place in the chain, without gaps. Accounts and packages are named by their ids: it outlives them. Their names are those
 * of today, null where they are gone.
 */
export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  act: AuditAct,
  actorId: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  /** The account or package that it was done to. */
  subjectId: z.nullable(z.string()),
  /** The account's name, or the package's tracking ID. */
  subjectName: z.nullable(z.string()),
  /** Where it came from; null for what no request did, and 90 days later. */
  address: z.nullable(z.string()),
  /** The User-Agent; null as above. */
  device: z.nullable(z.string()),
  /** How often, for refusals: those of a minute or an hour are one entry. */
  times: z.int(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const numberCursor = z.optional(z.string().check(z.regex(/^\d{1,15}$/, notACursor)));

/** Somebody by id, or by a part of name or e-mail address. */
const Person = z.optional(text('Person', { max: 120 }));

/** `person` is who did it or whom it was done to; `from` and `to` bound when. */
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

/** That somebody has got a recipient's contact or address by right of office: one for each viewer, package and hour. */
export const ContactView = z.object({
  id: z.int(),
  packageId: z.string(),
  trackingId: z.nullable(z.string()),
  viewerId: z.string(),
  /** Null where the account is gone. */
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

const auditors = { access: { anyOf: ['admin.system_config'] }, scope: 'everything' } as const;

export const audit = group({
  list: {
    method: 'GET',
    path: '/audit',
    summary: 'Who did what with other people’s rights and data',
    failure: 'Failed to fetch the audit log.',
    ...auditors,
    query: AuditQuery,
    reply: z.array(AuditEntry),
    list: true,
  },
  exportAll: {
    method: 'GET',
    path: '/audit/export',
    summary: 'The audit log as CSV',
    failure: 'Failed to export the audit log.',
    ...auditors,
    query: AuditExportQuery,
    reply: 'csv',
  },
  contactViews: {
    method: 'GET',
    path: '/audit/contact-views',
    summary: 'Who has seen the contact of a recipient by right of office',
    failure: 'Failed to fetch who saw contacts.',
    ...auditors,
    query: ContactViewQuery,
    reply: z.array(ContactView),
    list: true,
  },
});
