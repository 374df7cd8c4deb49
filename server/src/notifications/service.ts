import type { Notification } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Db } from '../platform/db.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf, type Listed } from '../platform/http.ts';
import type { Actor } from '../platform/sessions.ts';
import {
  asNotification,
  countNotifications,
  findEventToTell,
  insertNotification,
  listNotifications,
  setAllRead,
  setRead,
  type EventToTell,
} from './queries.ts';

/** What the owner reads, by the event's type. */
const wordings: Record<string, (event: EventToTell) => { title: string; body: string }> = {
  'delivery.started': ({ package_name }) => ({ title: 'Out for Delivery', body: `${package_name} is on its way.` }),
  'delivery.next': ({ package_name }) => ({ title: 'Next stop', body: `${package_name} is the driver's next stop.` }),
  'delivery.completed': ({ package_name }) => ({ title: 'Delivered', body: `${package_name} has been delivered.` }),
  'delivery.failed': ({ package_name, note }) => ({
    title: 'Delivery attempt failed',
    body: `${package_name} could not be delivered${note ? `: ${note}` : ''}. It waits for another driver.`,
  }),
  'delivery.assigned': ({ package_name }) => ({
    title: 'Driver assigned',
    body: `${package_name} has been given to a driver.`,
  }),
  'package.cancelled': ({ package_name }) => ({ title: 'Cancelled', body: `${package_name} has been cancelled.` }),
  'package.deleted': ({ package_name }) => ({ title: 'Deleted', body: `${package_name} has been deleted.` }),
};

/** Tells a package's owner of an event. Safe to repeat: there is one notification for each event. */
export async function notifyOwner(ctx: Pick<Ctx, 'db' | 'now'>, eventId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const event = await findEventToTell(tx, eventId);
    const words = event && wordings[event.type]?.(event);
    if (!words) throw new Error(`event ${eventId} has nothing to tell`);
    const isNew = await insertNotification(tx, {
      id: uuid(),
      userId: event.owner_id,
      eventId,
      packageId: event.package_id,
      type: event.type,
      ...words,
      at: event.at,
    });
    if (isNew) {
      await record(tx, { type: 'notification.created', at: ctx.now(), actorId: null, userId: event.owner_id });
    }
  });
}

export async function listOwnNotifications(
  ctx: Ctx,
  actor: Actor,
  query: { limit: number; cursor?: string | undefined; count: boolean; unread?: boolean | undefined },
): Promise<Listed<Notification>> {
  const unread = query.unread ?? false;
  const rows = await listNotifications(ctx.db, actor.id, unread, query.cursor ?? null, query.limit + 1);
  const total = query.count ? await countNotifications(ctx.db, actor.id, unread) : null;
  return pageOf(rows, query.limit, total, (row) => row.id, asNotification);
}

export async function readNotification(ctx: Ctx, actor: Actor, id: string): Promise<Notification> {
  return ctx.db.transaction(async (tx) => {
    const read = await setRead(tx, actor.id, id, ctx.now());
    if (!read) throw notFound('notification');
    await record(tx, { type: 'notification.read', at: ctx.now(), actorId: actor.id, userId: actor.id });
    return asNotification(read);
  });
}

export async function readAllNotifications(ctx: { db: Db; now(): Date }, actor: Actor): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await setAllRead(tx, actor.id, ctx.now());
    await record(tx, { type: 'notification.read', at: ctx.now(), actorId: actor.id, userId: actor.id });
  });
}
