import { eventTypesOf, type SentExportQuery, type SentListQuery, type SentNotification } from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import type { Queryable } from '../platform/database/db.ts';
import { likeContains, filterList, type ListFilter, type Search } from '../platform/database/keyset-lists.ts';
import { requeue } from '../platform/database/queue.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { lockDelivery, setQueued } from './deliveries.ts';
import { asSent, findSent, selectSent, stateNamed, type SentRow } from './sent-queries.ts';

const named = "lower(name || ' ' || email)";
/** More recipients are not looked up one by one: among so many the next hit is near. */
const fewRecipients = 200;

/** Few recipients are found first, and then what was sent to them; many are recognized while what was sent is walked through. */
async function searchRecipients(db: Queryable, q: string): Promise<Search> {
  const found = await db.query<{ id: string }>(
    `select id from users where ${named} like $1 limit ${fewRecipients + 1}`,
    [likeContains(q.toLowerCase())],
  );
  if (found.length <= fewRecipients) return (_term, value) => `user_id = any(${value(found.map(({ id }) => id))})`;
  return (term, value) => `(select ${named} like ${value(likeContains(term))} from users where users.id = user_id)`;
}

/** A list and its export are filtered alike. */
async function filterSent(ctx: Ctx, query: SentListQuery | SentExportQuery): Promise<ListFilter> {
  const filter = filterList({ q: query.q ? await searchRecipients(ctx.db, query.q) : '', day: 'at' }, query);
  // In the text, so that each state is planned for itself: few rows are in others than 'delivered'.
  if (query.state) filter.where(`state = '${stateNamed(query.state)}'`);
  if (query.kind) {
    const [only, ...more] = eventTypesOf(query.kind);
    // A single one is found in the order of the list; of several the rows would have to be sorted.
    filter.where(more.length === 0 ? `type = ${filter.value(only)}` : `type = any(${filter.value([only, ...more])})`);
  }
  return filter;
}

export async function listSent(ctx: Ctx, actor: Actor, query: SentListQuery): Promise<Page<SentNotification>> {
  const filter = await filterSent(ctx, query);
  const rows = await ctx.db.query<SentRow>(selectSent(filter.page()), filter.values());
  const count = query.count ? await filter.count(ctx.db, 'notification_deliveries') : null;
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => row.id,
    (row) => asSent(actor, row),
  );
}

const columns: Record<string, (sent: SentNotification) => Cell> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  type: ({ type }) => type,
  recipientName: ({ recipient }) => recipient.name,
  recipientRole: ({ recipient }) => recipient.role,
  trackingId: ({ trackingId }) => trackingId,
  incidentId: ({ incidentId }) => incidentId,
  channel: ({ channel }) => channel,
  state: ({ state }) => state,
  attempts: ({ attempts }) => attempts,
  error: ({ error }) => error,
};

/** All that the list with these filters has, newest first. */
export async function exportSent(ctx: Ctx, actor: Actor, query: SentExportQuery): Promise<CsvFile> {
  const filter = await filterSent(ctx, query);
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'notifications.exported', actorId: actor.id });
  const sql = selectSent(filter.all());
  return {
    name: `notifications-${ctx.now().toISOString().slice(0, 10)}.csv`,
    chunks: (signal) =>
      csvOf(columns, (row) => asSent(actor, row), ctx.longRunning.streamRows<SentRow>(sql, filter.values(), signal)),
  };
}

/** Sends what failed for good once more. What is delivered twice all the same is told once: its job knows. */
export async function retryNotification(ctx: Ctx, actor: Actor, id: string): Promise<SentNotification> {
  return ctx.db.transaction(async (tx) => {
    const delivery = await lockDelivery(tx, id);
    if (!delivery) throw notFound('notification');
    const { state, job, event_id: eventId, attempts, type } = delivery;
    if (state === 'delivered') throw new AppError('illegal_step', 'This notification has been delivered already');
    // Where somebody else was first, it waits already.
    if (state === 'failed' && job) {
      await requeue(tx, job, { eventId, triedBefore: attempts }, id);
      await setQueued(tx, id);
      await audit(tx, { act: 'job.replayed', actorId: actor.id, details: { job, id, type } });
    }
    const now = await findSent(tx, id);
    if (!now) throw notFound('notification');
    return asSent(actor, now);
  });
}
