import * as z from 'zod/mini';
import { ById, Instant, ListQuery, PageQuery, paging, trueOrFalse } from './common.ts';
import { group } from './endpoint.ts';
import { audiences, audiencesOf, notificationKinds } from './event-rules.ts';
import { Role, type Permission } from './permissions.ts';

export const NotificationKind = z.enum(notificationKinds);
export type NotificationKind = z.output<typeof NotificationKind>;

/** Nobody can turn these off: somebody waits outside until they are acted on, or somebody else has got at the account. */
export const essentialKinds: readonly NotificationKind[] = ['account.waiting', 'password.reset-requested', 'security'];

/** The kinds of which this user can ever be told. */
export const kindsFor = (user: { role: Role; permissions: readonly Permission[] }): NotificationKind[] => {
  const held = new Set<Permission | Role>([...user.permissions, user.role]);
  return notificationKinds.filter((kind) => audiencesOf(kind).some((to) => audiences[to].some((one) => held.has(one))));
};

export const Notification = z.object({
  id: z.string(),
  /** Of the event that it tells of. */
  type: z.string(),
  title: z.string(),
  body: z.string(),
  packageId: z.nullable(z.string()),
  trackingId: z.nullable(z.string()),
  /** The number of the incident it is about. */
  incidentId: z.nullable(z.int()),
  createdAt: Instant,
  readAt: z.nullable(Instant),
});
export type Notification = z.output<typeof Notification>;

/** Whether one kind reaches its user by one channel. What is essential is always on. */
export const NotificationPreference = z.object({ kind: NotificationKind, on: z.boolean(), essential: z.boolean() });
export type NotificationPreference = z.output<typeof NotificationPreference>;

/** By channel. There is one so far: the list of notifications in the product. */
export const NotificationPreferences = z.object({ inApp: z.array(NotificationPreference) });
export type NotificationPreferences = z.output<typeof NotificationPreferences>;

/** What changes; a kind that is left out stays as it is. */
export const NotificationPreferencesInput = z.strictObject({
  inApp: z.array(z.strictObject({ kind: NotificationKind, on: z.boolean() })).check(z.maxLength(50)),
});
export type NotificationPreferencesInput = z.output<typeof NotificationPreferencesInput>;

/**
 * `waiting` for its first or next attempt; `failed` for good, until somebody retries it; `delivered`: it is among the
 * recipient's notifications.
 */
export const sentStates = ['waiting', 'delivered', 'failed'] as const;
export const SentState = z.enum(sentStates);
export type SentState = z.output<typeof SentState>;

/** A notification on its way to somebody. What waits for several people has an `id` that one of them keeps; the others get their own. */
export const SentNotification = z.object({
  id: z.string(),
  /** When what it tells of happened. */
  at: Instant,
  /** Of the event that it tells of. */
  type: z.string(),
  /**
   * `id` is null while it is addressed to everybody who administers: who they are is found when it is delivered.
   * `name` is null there too, and where the account is gone.
   */
  recipient: z.object({ id: z.nullable(z.string()), name: z.nullable(z.string()), role: Role }),
  packageId: z.nullable(z.string()),
  trackingId: z.nullable(z.string()),
  incidentId: z.nullable(z.int()),
  channel: z.literal('in-app'),
  state: SentState,
  attempts: z.int(),
  /** What the latest attempt failed with. */
  error: z.nullable(z.string()),
});
export type SentNotification = z.output<typeof SentNotification>;

/** `q` looks for the recipient by name or email address; `from` and `to` bound when it happened. */
export const SentListQuery = z.extend(ListQuery, {
  state: z.optional(SentState),
  kind: z.optional(NotificationKind),
});
export type SentListQuery = z.output<typeof SentListQuery>;
export const SentExportQuery = z.omit(SentListQuery, paging);
export type SentExportQuery = z.output<typeof SentExportQuery>;

const administrators = { access: { anyOf: ['admin.access'] }, scope: 'everything' } as const;

export const notifications = group({
  list: {
    method: 'GET',
    path: '/notifications',
    access: 'active',
    scope: 'self',
    query: z.extend(PageQuery, { unread: z.optional(trueOrFalse('unread')) }),
    reply: z.array(Notification),
    list: true,
  },
  read: {
    method: 'POST',
    path: '/notifications/:id/read',
    access: 'active',
    scope: 'self',
    params: ById,
    reply: Notification,
  },
  readAll: { method: 'POST', path: '/notifications/read-all', access: 'active', scope: 'self', reply: 'none' },
  preferences: {
    method: 'GET',
    path: '/notifications/preferences',
    summary: 'What the caller can be told, and wants to be',
    access: 'active',
    scope: 'self',
    reply: NotificationPreferences,
  },
  setPreferences: {
    method: 'PUT',
    path: '/notifications/preferences',
    access: 'active',
    scope: 'self',
    body: NotificationPreferencesInput,
    reply: NotificationPreferences,
  },
  sent: {
    method: 'GET',
    path: '/notifications/sent',
    summary: 'What was sent to whom, and how that went',
    failure: 'Failed to fetch notifications.',
    ...administrators,
    query: SentListQuery,
    reply: z.array(SentNotification),
    list: true,
  },
  exportSent: {
    method: 'GET',
    path: '/notifications/sent/export',
    ...administrators,
    query: SentExportQuery,
    reply: 'csv',
  },
  /** Puts one that failed for good back into the queue; one that waits already stays as it is. */
  retry: {
    method: 'POST',
    path: '/notifications/sent/:id/retry',
    noun: 'notification',
    failure: 'Failed to retry the notification.',
    ...administrators,
    params: ById,
    reply: SentNotification,
    errors: ['illegal_step'],
  },
});
