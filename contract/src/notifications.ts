import * as z from 'zod/mini';
import { ById, Id, Instant, ListQuery, PageQuery, paging, trueOrFalse } from './common.ts';
import { group } from './endpoint.ts';
import { audiences, audiencesOf, notificationKinds } from './event-rules.ts';
import { byChannel, channelNames, channels, type Channel } from './notification-channels.ts';
import { roles, type Permission, type Role } from './permissions.ts';
import { TimeZone } from './zones.ts';

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

/** What an owner can choose that the recipients of their packages are told. */
export const recipientKinds: readonly NotificationKind[] = /* @__PURE__ */ (() =>
  notificationKinds.filter((kind) => audiencesOf(kind).includes('recipient')))();

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

const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time such as 22:00'));

/** Every day from `from` to `to` in that zone nothing is sent to an address; what is still true afterwards is sent then. */
export const QuietHours = z.strictObject({ from: timeOfDay, to: timeOfDay, timeZone: TimeZone });
export type QuietHours = z.output<typeof QuietHours>;

/** Every day at that time in that zone all emails that can wait come as one. */
export const Digest = z.strictObject({ at: timeOfDay, timeZone: TimeZone });
export type Digest = z.output<typeof Digest>;

export const NotificationPreferences = z.extend(z.object(byChannel(() => z.array(NotificationPreference))), {
  /** What the recipients of the caller's packages are told; empty for users who have no packages. */
  recipient: z.array(NotificationPreference),
  quietHours: z.nullable(QuietHours),
  /** Null: each email is sent at once. */
  digest: z.nullable(Digest),
  /** The key that browsers subscribe with (VAPID). */
  pushKey: z.string(),
  /** Whether messages are pushed to the browser of this session. */
  isPushed: z.boolean(),
});
export type NotificationPreferences = z.output<typeof NotificationPreferences>;

const ChangedPreferences = z.array(z.strictObject({ kind: NotificationKind, on: z.boolean() })).check(z.maxLength(50));

const KindByChannels = z.array(z.literal(channelNames)).check(z.maxLength(10));

/**
 * The changes; what is omitted keeps its value. Either by channel (`inApp: [{ kind, on }]`), or by kind: `'delivery.next': ['email']`
 * turns it on for the channels of the list, and off for all others. By kind goes first.
 */
export const NotificationPreferencesInput = z.strictObject({
  ...(Object.fromEntries(notificationKinds.map((kind) => [kind, z.optional(KindByChannels)])) as Record<
    NotificationKind,
    z.ZodMiniOptional<typeof KindByChannels>
  >),
  ...byChannel(() => z.optional(ChangedPreferences)),
  /** What the recipients of the caller's packages are told. */
  recipient: z.optional(ChangedPreferences),
  quietHours: z.optional(z.nullable(QuietHours)),
  digest: z.optional(z.nullable(Digest)),
});
export type NotificationPreferencesInput = z.output<typeof NotificationPreferencesInput>;

/**
 * `queued`: for its first or next attempt. `held`: nothing is set up to send it. `sent`: accepted by the mail server or provider. `delivered`: it has reached the recipient, or is among their
 * notifications. `failed`: all attempts failed (a dead letter), until it is retried by hand. `suppressed`: not sent, for a reason.
 */
export const sentStates = ['queued', 'held', 'sent', 'delivered', 'failed', 'suppressed'] as const;
export const SentState = z.enum(sentStates);
export type SentState = z.output<typeof SentState>;

/** Why a message is not sent. `bounced`: earlier ones to this address came back. `late`: what it tells of was over before it could be sent. */
export const suppressionReasons = ['opted_out', 'quiet_hours', 'limit', 'no_address', 'late', 'bounced'] as const;
export const SuppressionReason = z.enum(suppressionReasons);
export type SuppressionReason = z.output<typeof SuppressionReason>;

/** `recipient`: who gets a package, without an account. `name` is the package's then, for those who see all packages. */
export const SentRole = z.enum([...roles, 'recipient']);
export type SentRole = z.output<typeof SentRole>;

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
  recipient: z.object({ id: z.nullable(z.string()), name: z.nullable(z.string()), role: SentRole }),
  packageId: z.nullable(z.string()),
  trackingId: z.nullable(z.string()),
  incidentId: z.nullable(z.int()),
  channel: z.literal(channelNames),
  state: SentState,
  /** Of a suppressed one. */
  reason: z.nullable(SuppressionReason),
  attempts: z.int(),
  /** The error of the latest attempt. */
  error: z.nullable(z.string()),
});
export type SentNotification = z.output<typeof SentNotification>;

/**
 * With its text: as it was sent, or as it would be sent now. Null while it waits for all administrators, or if this version has no text for
 * it. `html` is null for channels without.
 */
export const SentMessage = z.extend(SentNotification, {
  subject: z.nullable(z.string()),
  text: z.nullable(z.string()),
  html: z.nullable(z.string()),
});
export type SentMessage = z.output<typeof SentMessage>;

/**
 * `q` searches the name and email address of the account. With `packages.view_all` it also searches what packages are found by, such as
 * tracking ID, name and contact of the recipient: the notifications of up to 200 packages; `from` and `to` filter by the time of the event.
 */
export const SentListQuery = z.extend(ListQuery, {
  /** `waiting` is what earlier versions called `queued` in the app. */
  state: z.optional(z.enum([...sentStates, 'waiting'])),
  kind: z.optional(NotificationKind),
  channel: z.optional(z.literal(channelNames)),
  packageId: z.optional(Id),
});
export type SentListQuery = z.output<typeof SentListQuery>;
export const SentExportQuery = z.omit(SentListQuery, paging);
export type SentExportQuery = z.output<typeof SentExportQuery>;

const base64url = z.string().check(z.regex(/^[\w-]+={0,2}$/, 'Must be base64url'), z.maxLength(100));

/** As a browser's `PushSubscription.toJSON()` has it. */
export const PushSubscriptionInput = z.strictObject({
  endpoint: z.url('Must be the https address of a push service').check(z.maxLength(1000)),
  keys: z.strictObject({ p256dh: base64url, auth: base64url }),
  expirationTime: z.optional(z.nullable(z.number())),
});
export type PushSubscriptionInput = z.output<typeof PushSubscriptionInput>;

/** Whether users can choose a kind for a channel, or get it because it cannot be turned off. */
export const carries = (channel: Channel, kind: NotificationKind): boolean =>
  channels[channel].essentials || !essentialKinds.includes(kind);

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
  /** In place of the session's earlier subscription. It ends with the session. */
  subscribe: {
    method: 'POST',
    path: '/push',
    summary: 'Subscribe the browser of this session to pushed messages',
    access: 'active',
    scope: 'self',
    body: PushSubscriptionInput,
    reply: 'none',
  },
  unsubscribe: {
    method: 'DELETE',
    path: '/push',
    summary: 'Push nothing to the browser of this session any more',
    access: 'active',
    scope: 'self',
    reply: 'none',
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
  sentMessage: {
    method: 'GET',
    path: '/notifications/sent/:id',
    summary: 'Read a notification as it was sent or would be sent',
    noun: 'notification',
    failure: 'Failed to fetch the notification.',
    ...adminAccess,
    params: ById,
    reply: SentMessage,
  },
  /** Enqueues a dead letter again, or one whose address bounced; one that is already waiting is not changed. */
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
