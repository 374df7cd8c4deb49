import * as z from 'zod/mini';
import { ById, Instant, ListQuery, PageQuery, paging, trueOrFalse } from './common.ts';
import { group } from './endpoint.ts';
import { audiences, audiencesOf, notificationKinds } from './event-rules.ts';
import { byChannel, channelNames } from './notification-channels.ts';
import { Role, type Permission } from './permissions.ts';

export const NotificationKind = z.enum(notificationKinds);
export type NotificationKind = z.output<typeof NotificationKind>;

/** Cannot be turned off: somebody cannot sign in until an administrator acts on them, or another person may have accessed the account. */
export const essentialKinds: readonly NotificationKind[] = ['account.waiting', 'password.reset-requested', 'security'];

/** The kinds that this user can receive. */
export const kindsFor = (user: { role: Role; permissions: readonly Permission[] }): NotificationKind[] => {
  const held = new Set<Permission | Role>([...user.permissions, user.role]);
  return notificationKinds.filter((kind) =>
    audiencesOf(kind).some((to) => audiences[to].some((member) => held.has(member))),
  );
};

export const Notification = z.object({
  id: z.string(),
  /** The event's type. */
  type: z.string(),
  title: z.string(),
  body: z.string(),
  packageId: z.nullable(z.string()),
  trackingId: z.nullable(z.string()),
  /** The number of its incident. */
  incidentId: z.nullable(z.int()),
  createdAt: Instant,
  readAt: z.nullable(Instant),
});
export type Notification = z.output<typeof Notification>;

/** Whether a kind is delivered by a channel. Essential kinds are always on. */
export const NotificationPreference = z.object({ kind: NotificationKind, on: z.boolean(), essential: z.boolean() });
export type NotificationPreference = z.output<typeof NotificationPreference>;

export const NotificationPreferences = z.object(byChannel(() => z.array(NotificationPreference)));
export type NotificationPreferences = z.output<typeof NotificationPreferences>;

const ChangedPreferences = z.array(z.strictObject({ kind: NotificationKind, on: z.boolean() })).check(z.maxLength(50));

/** The changes; omitted kinds keep their value. A later channel may be omitted too: older clients do not send it. All send `inApp`. */
export const NotificationPreferencesInput = z.extend(z.partial(z.strictObject(byChannel(() => ChangedPreferences))), {
  inApp: ChangedPreferences,
});
export type NotificationPreferencesInput = z.output<typeof NotificationPreferencesInput>;

/**
 * `waiting` for its first or next attempt; `failed`: all attempts failed (a dead letter), until it is retried by hand; `delivered`: it is
 * among the recipient's notifications.
 */
export const sentStates = ['waiting', 'delivered', 'failed'] as const;
export const SentState = z.enum(sentStates);
export type SentState = z.output<typeof SentState>;

/** The delivery of a notification. While it waits for several recipients it has one `id`; then one keeps it, the others get new ones. */
export const SentNotification = z.object({
  id: z.string(),
  /** When the event happened. */
  at: Instant,
  /** The event's type. */
  type: z.string(),
  /**
   * `id` is null while it is addressed to all administrators: the recipients are resolved on delivery.
   * `name` is null then too, and if the account is deleted.
   */
  recipient: z.object({ id: z.nullable(z.string()), name: z.nullable(z.string()), role: Role }),
  packageId: z.nullable(z.string()),
  trackingId: z.nullable(z.string()),
  incidentId: z.nullable(z.int()),
  channel: z.literal(channelNames),
  state: SentState,
  attempts: z.int(),
  /** The error of the latest attempt. */
  error: z.nullable(z.string()),
});
export type SentNotification = z.output<typeof SentNotification>;

/** `q` searches the recipient's name and e-mail address; `from` and `to` filter by the time of the event. */
export const SentListQuery = z.extend(ListQuery, {
  state: z.optional(SentState),
  kind: z.optional(NotificationKind),
});
export type SentListQuery = z.output<typeof SentListQuery>;
export const SentExportQuery = z.omit(SentListQuery, paging);
export type SentExportQuery = z.output<typeof SentExportQuery>;

const adminAccess = { access: { anyOf: ['admin.access'] }, scope: 'everything' } as const;

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
    summary: 'Read which notifications the caller can get, and has chosen',
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
    summary: 'List the delivery log of notifications',
    failure: 'Failed to fetch notifications.',
    ...adminAccess,
    query: SentListQuery,
    reply: z.array(SentNotification),
    list: true,
  },
  exportSent: {
    method: 'GET',
    path: '/notifications/sent/export',
    ...adminAccess,
    query: SentExportQuery,
    reply: 'csv',
  },
  /** Enqueues a dead letter again; one that is already waiting is not changed. */
  retry: {
    method: 'POST',
    path: '/notifications/sent/:id/retry',
    noun: 'notification',
    failure: 'Failed to retry the notification.',
    ...adminAccess,
    params: ById,
    reply: SentNotification,
    errors: ['illegal_step'],
  },
});
