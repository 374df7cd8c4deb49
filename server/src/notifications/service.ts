import { essentialKinds, notificationKindOf, type Notification } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record, recordAll } from '../events/record.ts';
import type { Db, Tx } from '../platform/db.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf, type Listed } from '../platform/http.ts';
import type { Actor } from '../platform/sessions.ts';
import { usersWith } from '../users/service.ts';
import {
  asNotification,
  countNotifications,
  countTold,
  findEventsToTell,
  insertNotifications,
  listNotifications,
  setAllRead,
  setRead,
  type EventToTell,
  type NewNotification,
} from './queries.ts';

type Words = (event: EventToTell) => { title: string; body: string };

const incidentResolved: Words = (event) => ({
  title: 'Issue resolved',
  body: `${incidentOf(event)} has been resolved${becauseOf(event)}.`,
});

/** What happened to an incident, as owners and administrators read it. */
const incidentWords: Record<string, Words> = {
  'issue.reported': (event) => ({
    title: 'Issue reported',
    body: `${incidentOf(event)} has been opened: ${event.incident_type}.`,
  }),
  'incident.investigating': (event) => ({
    title: 'Issue under investigation',
    body: `${incidentOf(event)} is being investigated${becauseOf(event)}.`,
  }),
  'incident.resolved': incidentResolved,
  'incident.reopened': (event) => ({
    title: 'Issue reopened',
    body: `${incidentOf(event)} is being investigated again${becauseOf(event)}.`,
  }),
};
const incidentOf = ({ incident_number, package_name }: EventToTell) => `Incident ${incident_number} on ${package_name}`;
const becauseOf = ({ note }: EventToTell) => (note ? `: ${note}` : '');

/** Who is told, and what they read, by the event's type. A name may be anything, a plural too: the verb goes with the package. */
const audiences = {
  owner: {
    'delivery.started': ({ package_name }) => ({
      title: 'Out for Delivery',
      body: `Your package “${package_name}” is on its way.`,
    }),
    'delivery.next': ({ package_name }) => ({
      title: 'Next stop',
      body: `Your package “${package_name}” is the driver's next stop.`,
    }),
    'delivery.completed': ({ package_name }) => ({
      title: 'Delivered',
      body: `Your package “${package_name}” has been delivered.`,
    }),
    'delivery.failed': (event) => ({
      title: 'Delivery attempt failed',
      body: `Your package “${event.package_name}” could not be delivered${becauseOf(event)}. It waits for another driver.`,
    }),
    'delivery.assigned': ({ package_name, previous_driver_id }) => ({
      title: 'Driver assigned',
      body: `Your package “${package_name}” has been given to ${previous_driver_id ? 'another' : 'a'} driver.`,
    }),
    'delivery.released': ({ package_name }) => ({
      title: 'Waiting for another driver',
      body: `Your package “${package_name}” was taken back from its driver and waits for another one.`,
    }),
    'delivery.stranded': ({ package_name }) => ({
      title: 'Driver no longer available',
      body: `The driver of your package “${package_name}” is no longer available. An administrator decides who brings it.`,
    }),
    'package.cancelled': ({ package_name }) => ({
      title: 'Cancelled',
      body: `Your package “${package_name}” has been cancelled.`,
    }),
    'package.deleted': ({ package_name }) => ({
      title: 'Deleted',
      body: `Your package “${package_name}” has been deleted.`,
    }),
    ...incidentWords,
  },
  admins: {
    ...incidentWords,
    'message.received': ({ message_number }) => ({
      title: 'New message',
      body: `Message ${message_number} has come in by the contact form.`,
    }),
    // Without the name: that would outlive the account in everybody's notifications.
    'account.waiting': () => ({
      title: 'Account awaits approval',
      body: 'Somebody has registered and waits for approval. User Management shows who.',
    }),
    'password.reset-requested': () => ({
      title: 'Password forgotten',
      body: 'A user has asked for a new password. User Management shows who: hand them a link.',
    }),
  },
  reporter: { 'incident.resolved': incidentResolved },
  driver: {
    'delivery.assigned': ({ package_name }) => ({
      title: 'Delivery assigned',
      body: `The package “${package_name}” has been given to you to deliver.`,
    }),
    // Not the values: those outlive the recipient's data here, and stand on the delivery.
    'package.updated': ({ package_name, changes }) => ({
      title: 'Delivery changed',
      body: `The owner has changed ${joined(changedForDriver(changes))} of “${package_name}”.`,
    }),
    'package.rated': ({ package_name, note, rating_comment }) => ({
      title: 'New rating',
      body: `The delivery of “${package_name}” was rated ${note}${rating_comment ? `: ${rating_comment}` : ''}.`,
    }),
  },
  formerDriver: {
    'delivery.assigned': ({ package_name }) => ({
      title: 'Delivery given to another driver',
      body: `The package “${package_name}” has been given to another driver. It is no longer yours to deliver.`,
    }),
    'delivery.failed': (event) => ({
      title: 'Delivery taken from you',
      body: `An administrator has ended your delivery of “${event.package_name}” as failed${becauseOf(event)}. It is no longer yours to deliver.`,
    }),
    'delivery.released': ({ package_name }) => ({
      title: 'Delivery taken from you',
      body: `An administrator has taken back the package “${package_name}”. It is no longer yours to deliver.`,
    }),
  },
  account: {
    'session.unfamiliar': () => ({
      title: 'New sign-in',
      body: 'Your account was signed in to from an address where it was not before. If that was not you, change your password.',
    }),
    'password.changed': () => ({
      title: 'Password changed',
      body: 'Your account has a new password. If that was not you, ask an administrator for a link.',
    }),
    'second-factor.enabled': () => ({
      title: 'Second factor turned on',
      body: 'Signing in to your account asks for a code from now on.',
    }),
    'second-factor.removed': ({ actor_id, user_id }) => ({
      title: actor_id === user_id ? 'Second factor turned off' : 'Second factor removed',
      body:
        actor_id === user_id
          ? 'The password alone signs in to your account now.'
          : 'An administrator has removed the second factor of your account: the password alone signs in now.',
    }),
    'recovery-codes.made': () => ({
      title: 'New recovery codes',
      body: 'Your account has new recovery codes, and the old ones work no longer.',
    }),
    // Nobody by name: that would outlive the account of whoever did it.
    'password.link-made': () => ({
      title: 'Link for a new password',
      body: 'An administrator has made a link that sets a new password for your account. If you did not ask for one, tell another administrator.',
    }),
    'rights.changed': ({ changes }) => ({
      title: 'Your account was changed',
      body: `An administrator has changed ${changedParts(changes ?? {})} of your account.`,
    }),
    'sessions.ended': () => ({
      title: 'Signed out',
      body: 'An administrator has ended sessions of your account.',
    }),
    'sessions.displaced': () => ({
      title: 'Signed out',
      body: 'Your account is signed in at more places than it may be. The one that was not used for longest has been signed out.',
    }),
  },
} satisfies Record<string, Record<string, Words>>;
type Audience = keyof typeof audiences;

const driversWords: Record<string, string> = {
  recipientContact: 'the contact',
  window: 'the preferred time',
  instructions: 'the instructions',
};
const changedForDriver = (changes: object | null): string[] =>
  Object.entries(driversWords).flatMap(([field, words]) => (changes && field in changes ? words : []));
const joined = (parts: string[]): string => new Intl.ListFormat('en-GB').format(parts);

const partNames: Record<string, string> = { name: 'the name', role: 'the role', status: 'the status' };

/** 'the role and the rights': own list and custom role are both rights to whoever has them. */
const changedParts = (changes: object): string =>
  [...new Set(Object.keys(changes).map((field) => partNames[field] ?? 'the rights'))].join(' and ') || 'the rights';

/**
 * Administrators are told so many times within 24 hours of what strangers can cause as often as they like; the last of these
 * says that there is more.
 */
const mostTold = 20;
const floods: Partial<Record<string, { title: string; body: string }>> = {
  'message.received': {
    title: 'Many new messages',
    body: 'So many messages have come in today that you are not told of each. The list of messages has all of them.',
  },
  'account.waiting': {
    title: 'Many accounts await approval',
    body: 'So many people have registered today that you are not told of each. User Management shows who waits.',
  },
  'password.reset-requested': {
    title: 'Many passwords forgotten',
    body: 'So many users have asked for a new password today that you are not told of each. User Management shows who.',
  },
};

/** What somebody is to be told of. */
interface Occasion {
  eventId: string;
  /** How often it has been tried by now. */
  attempts: number;
}

/**
 * Tells those whom the events concern, all in one transaction: it costs little more than to tell of one.
 * Safe to repeat: each has one notification for each event.
 */
async function notify(ctx: Pick<Ctx, 'db' | 'now'>, audience: Audience, occasions: Occasion[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const eventIds = occasions.map(({ eventId }) => eventId);
    const events = new Map((await findEventsToTell(tx, eventIds)).map((event) => [event.id, event]));
    const dayAgo = new Date(ctx.now().getTime() - 24 * 3_600_000);
    const isFlood = audience === 'admins' && [...events.values()].some(({ type }) => type in floods);
    const told = isFlood ? await countTold(tx, Object.keys(floods), dayAgo) : new Map<string, number>();
    const notifications: NewNotification[] = [];
    for (const { eventId, attempts } of occasions) {
      const event = events.get(eventId);
      const words: Record<string, Words> = audiences[audience];
      const say = event && words[event.type];
      if (!event || !say) throw new Error(`event ${eventId} has nothing to tell`);
      const kind = notificationKindOf(event.type);
      const flood = audience === 'admins' ? floods[event.type] : undefined;
      for (const userId of await recipientsOf(tx, audience, event)) {
        const times = (told.get(`${userId} ${event.type}`) ?? 0) + 1;
        if (flood && times > mostTold) continue;
        told.set(`${userId} ${event.type}`, times);
        notifications.push({
          id: uuid(),
          user_id: userId,
          event_id: eventId,
          package_id: event.package_id,
          incident_number: event.incident_number,
          type: event.type,
          ...(flood && times === mostTold ? flood : say(event)),
          at: event.at,
          kind: kind === undefined || essentialKinds.includes(kind) ? null : kind,
          attempts,
        });
      }
    }
    const userIds = await insertNotifications(tx, notifications);
    if (userIds.length === 0) return;
    await recordAll(
      tx,
      userIds.map((userId) => ({ type: 'notification.created', at: ctx.now(), actorId: null, userId })),
    );
  });
}

type Notify = (ctx: Pick<Ctx, 'db' | 'now'>, occasions: Occasion[]) => Promise<void>;
export const notifyOwner: Notify = (ctx, occasions) => notify(ctx, 'owner', occasions);
export const notifyDriver: Notify = (ctx, occasions) => notify(ctx, 'driver', occasions);
export const notifyFormerDriver: Notify = (ctx, occasions) => notify(ctx, 'formerDriver', occasions);
export const notifyAdmins: Notify = (ctx, occasions) => notify(ctx, 'admins', occasions);
export const notifyAccount: Notify = (ctx, occasions) => notify(ctx, 'account', occasions);
export const notifyReporter: Notify = (ctx, occasions) => notify(ctx, 'reporter', occasions);

/** For those who can do something about them. */
const aboutAccounts: ReadonlySet<string> = new Set(['account.waiting', 'password.reset-requested']);

const concernsDriver = ({ type, changes }: EventToTell): boolean =>
  type !== 'package.updated' || changedForDriver(changes).length > 0;

/** Owners read of everything that happens to their packages, also of what they did; administrators of what others did. */
async function recipientsOf(tx: Tx, audience: Audience, event: EventToTell): Promise<string[]> {
  if (audience === 'owner') return event.owner_id ? [event.owner_id] : [];
  if (audience === 'driver') return event.driver_id && concernsDriver(event) ? [event.driver_id] : [];
  if (audience === 'formerDriver') return formerDriverOf(event);
  if (audience === 'account') return event.user_id ? [event.user_id] : [];
  if (audience === 'reporter') return event.reporter_id ? [event.reporter_id] : [];
  const admins = await usersWith(tx, aboutAccounts.has(event.type) ? 'users.update' : 'admin.access');
  return admins.filter((id) => id !== event.actor_id);
}

/** Whose delivery it was, unless they gave it back themselves or have it still. */
const formerDriverOf = ({ previous_driver_id: id, driver_id, actor_id }: EventToTell): string[] =>
  id === null || id === driver_id || id === actor_id ? [] : [id];

export async function listOwnNotifications(
  ctx: Ctx,
  actor: Actor,
  query: { limit: number; cursor?: string | undefined; count: boolean; unread?: boolean | undefined },
): Promise<Listed<Notification>> {
  const unread = query.unread ?? false;
  const rows = await listNotifications(ctx.db, actor.id, unread, query.cursor ?? null, query.limit + 1);
  const total = query.count ? await countNotifications(ctx.db, actor.id, unread) : null;
  return pageOf(
    rows,
    query.limit,
    total,
    (row) => row.id,
    (row) => asNotification(actor, row),
  );
}

export async function readNotification(ctx: Ctx, actor: Actor, id: string): Promise<Notification> {
  return ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const read = await setRead(tx, actor.id, id, at);
    if (!read) throw notFound('notification');
    // Events stay for good: what was read before makes none.
    if (read.read_at?.getTime() === at.getTime())
      await record(tx, { type: 'notification.read', at, actorId: actor.id, userId: actor.id });
    return asNotification(actor, read);
  });
}

export async function readAllNotifications(ctx: { db: Db; now(): Date }, actor: Actor): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await setAllRead(tx, actor.id, ctx.now());
    await record(tx, { type: 'notification.read', at: ctx.now(), actorId: actor.id, userId: actor.id });
  });
}
