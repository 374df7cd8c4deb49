import { eventTypesOf, type SentExportQuery, type SentListQuery, type SentNotification } from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import type { Queryable } from '../platform/database/db.ts';
import {
  countRows,
  filterList,
  likeContains,
  type Count,
  type ListFilter,
  type Search,
} from '../platform/database/keyset-lists.ts';
import { requeue } from '../platform/database/queue.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { lockDelivery, setQueued } from './notification-deliveries.ts';
import { asSent, findSent, selectSent, storedStateOf, type SentRow } from './sent-queries.ts';

const nameAndEmail = "lower(name || ' ' || email)";
/** Up to this many matching recipients, their deliveries are found by index; with more, a scan of the list soon finds the next match. */
const maxListedRecipients = 200;

/** Searches by the ids of the matching users if they are few, else by a subquery for each delivery. */
async function searchRecipients(db: Queryable, q: string): Promise<Search> {
  const found = await db.query<{ id: string }>(
    `select id from users where ${nameAndEmail} like $1 limit ${maxListedRecipients + 1}`,
    [likeContains(q.toLowerCase())],
  );
  if (found.length <= maxListedRecipients)
    return (_term, value) => `user_id = any(${value(found.map(({ id }) => id))})`;
  return (term, value) =>
    `(select ${nameAndEmail} like ${value(likeContains(term))} from users where users.id = user_id)`;
}

/** The filter that the list and its export share. */
async function filterSent(ctx: Ctx, query: SentListQuery | SentExportQuery): Promise<ListFilter> {
  const filter = filterList({ q: query.q ? await searchRecipients(ctx.db, query.q) : '', day: 'at' }, query);
  // A literal, so that each state gets its own plan: few rows have another state than 'delivered'.
  if (query.state) filter.where(`state = '${storedStateOf(query.state)}'`);
  if (query.kind) {
    const [only, ...more] = eventTypesOf(query.kind);
    // An index returns a single type in the order of the list; several types would have to be sorted.
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

/** Counts the deliveries that have failed for good. */
export const countFailedSent = (db: Queryable): Promise<Count> =>
  countRows(db, `notification_deliveries where state <> 'delivered' and state = '${storedStateOf('failed')}'`, []);

const csvColumns: Record<string, (sent: SentNotification) => Cell> = {
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

/** Exports all deliveries that match the filters, newest first. */
export async function exportSent(ctx: Ctx, actor: Actor, query: SentExportQuery): Promise<CsvFile> {
  const filter = await filterSent(ctx, query);
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'notifications.exported', actorId: actor.id });
  const sql = selectSent(filter.all());
  return {
    name: `notifications-${ctx.now().toISOString().slice(0, 10)}.csv`,
    chunks: (signal) =>
      csvOf(csvColumns, (row) => asSent(actor, row), ctx.longRunning.streamRows<SentRow>(sql, filter.values(), signal)),
  };
}

/** Enqueues a failed delivery again. Its job is idempotent: a notification that was delivered after all is not delivered twice. */
export async function retryNotification(ctx: Ctx, actor: Actor, id: string): Promise<SentNotification> {
  return ctx.db.transaction(async (tx) => {
    const delivery = await lockDelivery(tx, id);
    if (!delivery) throw notFound('notification');
    const { state, job, event_id: eventId, attempts, type } = delivery;
    if (state === 'delivered') throw new AppError('illegal_step', 'This notification has been delivered already');
    // A concurrent retry may have enqueued it already.
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
