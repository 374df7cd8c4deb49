import {
  audiences,
  essentialKinds,
  eventRules,
  notificationKindOf,
  ruleOf,
  type Notification,
} from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { audienceOf, notifying, type AccountAudience, type NotifyingJob } from '../events/event-jobs.ts';
import { record, recordAll } from '../events/record.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { usersWith } from '../users/service.ts';
import { markDelivered, markFailedAttempt } from './notification-deliveries.ts';
import {
  asNotification,
  countNotifications,
  countNotified,
  findNotifiableEvents,
  findOwnPackages,
  insertNotifications,
  listNotifications,
  setAllRead,
  setRead,
  wantedBy,
  type NewNotification,
} from './queries.ts';
import { queueMessages } from './messages.ts';
import { changedForDriver, parametersOf, type NotifiableEvent } from './parameters.ts';
import { renderTemplate } from './render.ts';

/**
 * The limit of notifications per user, type and 24 hours for events that strangers can cause at will. The last one says that there are
 * more.
 */
const maxPerDay = 20;
const isLimited = (type: string): boolean => ruleOf(type)?.notifies?.with.includes('isLastOfDay') === true;
const limitedTypes = Object.keys(eventRules).filter(isLimited);

/** A run of a notifying job. */
export interface NotificationJob {
  /** The job's id. */
  id: string;
  eventId: string;
  /** Null if the event is about none; undefined in jobs of older servers. */
  packageId?: string | null | undefined;
  /** Including this one. */
  attempts: number;
}

/**
 * Delivers the notifications of a batch of events in the app and queues the messages by other channels, in one transaction, which costs
 * little more than one event. Idempotent: each user gets one notification per event, and one message by each channel.
 */
export async function notify(
  ctx: Pick<Ctx, 'db' | 'now' | 'config' | 'settings'>,
  job: NotifyingJob,
  runs: NotificationJob[],
): Promise<void> {
  const { channel } = notifying[job];
  await ctx.db.transaction(async (tx) => {
    const eventIds = runs.map(({ eventId }) => eventId);
    const packages = runs.every(({ packageId }) => packageId !== undefined)
      ? runs.flatMap(({ packageId }) => packageId ?? [])
      : null;
    const events = new Map((await findNotifiableEvents(tx, eventIds, packages)).map((event) => [event.id, event]));
    const dayAgo = new Date(ctx.now().getTime() - 24 * 3_600_000);
    const someLimited = [...events.values()].some(({ type }) => isLimited(type));
    const timesNotified = someLimited
      ? await countNotified(tx, channel, limitedTypes, dayAgo)
      : new Map<string, number>();
    const notifications: NewNotification[] = [];
    for (const { id: jobId, eventId, attempts } of runs) {
      const event = events.get(eventId);
      const audience = event && audienceOf(job, event.type);
      if (!audience) throw new Error(`event ${eventId} has nothing to tell`);
      const kind = notificationKindOf(event.type);
      for (const userId of await recipientsOf(tx, audience, event)) {
        const times = (timesNotified.get(`${userId} ${event.type}`) ?? 0) + 1;
        if (isLimited(event.type) && times > maxPerDay) continue;
        timesNotified.set(`${userId} ${event.type}`, times);
        const parameters = parametersOf(event, times === maxPerDay);
        const text = renderTemplate(audience, event.type, parameters);
        if (!text) throw new Error(`event ${eventId} has no words for ${audience}`);
        notifications.push({
          id: uuid(),
          job_id: jobId,
          user_id: userId,
          event_id: eventId,
          package_id: event.package_id,
          tracking_id: event.tracking_id,
          incident_number: event.incident_number,
          type: event.type,
          audience,
          parameters,
          ...text,
          at: event.at,
          kind: kind === undefined || essentialKinds.includes(kind) ? null : kind,
          attempts,
        });
      }
    }
    const wanted = await wantedBy(tx, channel, notifications);
    const delivered = await insertNotifications(tx, wanted);
    await markDelivered(
      tx,
      channel,
      runs.flatMap(({ id, eventId }) => {
        const at = events.get(eventId)?.at;
        return at ? [{ id, at }] : [];
      }),
      delivered,
    );
    const messaged = await queueMessages(tx, ctx, notifications);
    const signals = [
      ...delivered.map(({ user_id: userId }) => ({ type: 'notification.created' as const, userId })),
      // One wakes the senders and the screens.
      ...messaged.slice(0, 1).map((userId) => ({ type: 'notification.progressed' as const, userId })),
    ];
    if (signals.length === 0) return;
    await recordAll(
      tx,
      signals.map((signal) => ({ ...signal, at: ctx.now(), actorId: null })),
    );
  });
}

/** Call it for a job that failed alone. Jobs that failed as a batch are retried one by one. */
export async function storeFailedAttempt(
  { db, log }: Pick<Ctx, 'db' | 'log'>,
  run: { id: string; attempt: number; isLast: boolean },
  error: unknown,
): Promise<void> {
  try {
    await markFailedAttempt(db, run, error instanceof Error ? error.message : String(error));
  } catch (fault) {
    // `reconcileDeliveries` takes it over from the queue.
    log.warn({ reason: String(fault) }, 'a failed delivery could not be noted');
  }
}

const concernsDriver = ({ type, changes }: NotifiableEvent): boolean =>
  type !== 'package.updated' || changedForDriver(changes).length > 0;

/** Owners are notified of their own actions too; administrators only of those of others. */
async function recipientsOf(tx: Tx, audience: AccountAudience, event: NotifiableEvent): Promise<string[]> {
  if (audience === 'owner') return event.owner_id ? [event.owner_id] : [];
  if (audience === 'driver') return event.driver_id && concernsDriver(event) ? [event.driver_id] : [];
  if (audience === 'formerDriver') return formerDriverOf(event);
  if (audience === 'account') return event.user_id ? [event.user_id] : [];
  if (audience === 'reporter') return event.reporter_id ? [event.reporter_id] : [];
  const [permission] = audiences[audience];
  const admins = await usersWith(tx, permission);
  return admins.filter((id) => id !== event.actor_id);
}

/** The previous driver, unless they gave the delivery back themselves or still have it. */
const formerDriverOf = ({ previous_driver_id: id, driver_id, actor_id }: NotifiableEvent): string[] =>
  id === null || id === driver_id || id === actor_id ? [] : [id];

export async function listOwnNotifications(
  ctx: Ctx,
  actor: Actor,
  query: { limit: number; cursor?: string | undefined; count: boolean; unread?: boolean | undefined },
  texts: Texts,
): Promise<Page<Notification>> {
  const unread = query.unread ?? false;
  const rows = await listNotifications(ctx.db, actor.id, unread, query.cursor ?? null, query.limit + 1);
  const own = await findOwnPackages(ctx.db, actor.id, rows);
  const count = query.count ? await countNotifications(ctx.db, actor.id, unread) : null;
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => row.id,
    (row) => asNotification({ ...actor, texts }, row, own.has(row.package_id)),
  );
}

export async function readNotification(ctx: Ctx, actor: Actor, id: string, texts: Texts): Promise<Notification> {
  return ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const read = await setRead(tx, actor.id, id, at);
    if (!read) throw notFound('notification');
    // A repeated call changes nothing and makes no event.
    if (read.read_at?.getTime() === at.getTime())
      await record(tx, { type: 'notification.read', at, actorId: actor.id, userId: actor.id });
    const own = await findOwnPackages(tx, actor.id, [read]);
    return asNotification({ ...actor, texts }, read, own.has(read.package_id));
  });
}

export async function readAllNotifications(ctx: { db: Db; now(): Date }, actor: Actor): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await setAllRead(tx, actor.id, ctx.now());
    await record(tx, { type: 'notification.read', at: ctx.now(), actorId: actor.id, userId: actor.id });
  });
}
