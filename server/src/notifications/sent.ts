import {
  eventTypesOf,
  type SentExportQuery,
  type SentListQuery,
  type SentMessage,
  type SentNotification,
} from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { audit } from '../audit/service.ts';
import type { Ctx } from '../ctx.ts';
import { findPackage } from '../packages/row.ts';
import { searchTexts } from '../packages/search.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { planForValues, type Queryable, type Tx } from '../platform/database/db.ts';
import {
  countRows,
  filterList,
  likeContains,
  type Count,
  type ListFilter,
  type Search,
} from '../platform/database/keyset-lists.ts';
import { record } from '../events/record.ts';
import { requeue } from '../platform/database/queue.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { liftBounce } from './bounced-addresses.ts';
import { composeDigest, digestType } from './digest.ts';
import { lockDelivery, setQueued } from './notification-deliveries.ts';
import { requeueMessage } from './message-queries.ts';
import { composeMessage, contentOf, withRecipients, type TextSource } from './message-text.ts';
import { renderTemplate } from './render.ts';
import {
  asSent,
  findMessageText,
  findNotificationText,
  findSent,
  selectSent,
  sentRows,
  storedStateOf,
  type SentRow,
} from './sent-queries.ts';

const nameAndEmail = "lower(name || ' ' || email)";
/** Up to this many matching recipients, their deliveries are found by index; with more, a scan of the list soon finds the next match. */
const maxListedRecipients = 200;

/** The packages with this text, by the index of their search: their recipients have no accounts. */
async function findTold(db: Queryable, q: string): Promise<string[]> {
  if (q.trim().length < 3) return [];
  const values: unknown[] = [];
  const matches = searchTexts(q.trim().toLowerCase(), (given) => `$${values.push(given)}`);
  const rows = await db.query<{ id: string }>(
    `select package_id as id from package_search found where ${matches} limit ${maxListedRecipients}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/**
 * Searches by the ids of the matching users if they are few, else by a subquery for each delivery; and for those who may see all packages by
 * the ids of packages.
 */
async function searchRecipients(db: Queryable, actor: Actor, q: string): Promise<Search> {
  const byAccount = await searchAccounts(db, q);
  const packages = actor.permissions.includes('packages.view_all') ? await findTold(db, q) : [];
  if (packages.length === 0) return byAccount;
  return (term, value) => `(${byAccount(term, value)} or package_id = any(${value(packages)}) ${planForValues})`;
}

async function searchAccounts(db: Queryable, q: string): Promise<Extract<Search, (...given: never[]) => string>> {
  const found = await db.query<{ id: string }>(
    `select id from users where ${nameAndEmail} like $1 limit ${maxListedRecipients + 1}`,
    [likeContains(q.toLowerCase())],
  );
  const [only] = found;
  // One has an index in the order of the list.
  if (only && found.length === 1) return (_term, value) => `user_id = ${value(only.id)}`;
  if (found.length <= maxListedRecipients)
    return (_term, value) => `user_id = any(${value(found.map(({ id }) => id))}) ${planForValues}`;
  return (term, value) =>
    `(select ${nameAndEmail} like ${value(likeContains(term))} from users where users.id = user_id)`;
}

/** The filter that the list and its export share. */
async function filterSent(ctx: Ctx, actor: Actor, query: SentListQuery | SentExportQuery): Promise<ListFilter> {
  const filter = filterList({ q: query.q ? await searchRecipients(ctx.db, actor, query.q) : '', day: 'at' }, query);
  // A literal, so that each state gets its own plan: few rows have another state than 'delivered'.
  if (query.state) filter.where(`state = '${storedStateOf(query.state)}'`);
  if (query.channel) filter.where(`channel = ${filter.value(query.channel)}`);
  if (query.packageId) filter.where(`package_id = ${filter.value(query.packageId)}`);
  if (query.kind) {
    const [only, ...more] = eventTypesOf(query.kind);
    // An index returns a single type in the order of the list; several types would have to be sorted.
    filter.where(more.length === 0 ? `type = ${filter.value(only)}` : `type = any(${filter.value([only, ...more])})`);
  }
  return filter;
}

export async function listSent(ctx: Ctx, actor: Actor, query: SentListQuery): Promise<Page<SentNotification>> {
  const filter = await filterSent(ctx, actor, query);
  const rows = await ctx.db.query<SentRow>(selectSent(filter.page()), filter.values());
  const count = query.count ? await filter.count(ctx.db, sentRows) : null;
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
  reason: ({ reason }) => reason,
  attempts: ({ attempts }) => attempts,
  error: ({ error }) => error,
};

/** Exports all deliveries that match the filters, newest first. */
export async function exportSent(ctx: Ctx, actor: Actor, query: SentExportQuery): Promise<CsvFile> {
  const filter = await filterSent(ctx, actor, query);
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
    if (!delivery) return retryMessage(ctx, tx, actor, id);
    const { state, job, event_id: eventId, package_id: packageId, attempts, type } = delivery;
    if (state === 'delivered') throw new AppError('illegal_step', 'This notification has been delivered already');
    // A concurrent retry may have enqueued it already.
    if (state === 'failed' && job) {
      await requeue(tx, job, { eventId, packageId, triedBefore: attempts }, id);
      await setQueued(tx, id);
      await audit(tx, { act: 'job.replayed', actorId: actor.id, details: { job, id, type } });
    }
    const now = await findSent(tx, id);
    if (!now) throw notFound('notification');
    return asSent(actor, now);
  });
}

/** Queues a failed message again: its attempts go on where they ended, so that one more failure is final. */
async function retryMessage(ctx: Ctx, tx: Tx, actor: Actor, id: string): Promise<SentNotification> {
  const before = await requeueMessage(tx, id, ctx.now());
  if (!before) throw notFound('notification');
  const { state, type, channel, address, isQueued } = before;
  if (state === 'sent' || state === 'delivered')
    throw new AppError('illegal_step', 'This notification has been delivered already');
  if (state === 'suppressed' && !isQueued) throw new AppError('illegal_step', 'This notification is not to be sent');
  if (isQueued) {
    // Whoever retries wants to know whether the address works again.
    if (address !== null) await liftBounce(ctx, tx, channel, address);
    await audit(tx, { act: 'job.replayed', actorId: actor.id, details: { job: 'message', id, type } });
    // Wakes the senders.
    await record(tx, { type: 'notification.progressed', at: ctx.now(), actorId: actor.id, userId: actor.id });
  }
  const now = await findSent(tx, id);
  if (!now) throw notFound('notification');
  return asSent(actor, now);
}

/** What is written to a recipient may have the PIN, which the driver of the package asks for. */
async function isItsDriver(
  ctx: Ctx,
  actor: Actor,
  { package_id: packageId, audience }: Pick<TextSource, 'audience' | 'package_id'>,
): Promise<boolean> {
  const pkg = audience === 'recipient' && packageId !== null ? await findPackage(ctx.db, packageId, null) : null;
  return pkg !== null && pkg.handling_pin && pkg.driver_id === actor.id;
}

const textOf = async (ctx: Ctx, { id, at, recipient_id: userId }: SentRow, source: TextSource) =>
  source.type === digestType
    ? (await composeDigest(ctx, { id, at, user_id: userId, language: source.language })).content
    : contentOf(ctx, source);

/** A notification with its text: as it was sent, else as it would be sent now. @param origin the public origin of the product, for links */
export async function readSent(
  ctx: Ctx,
  actor: Actor,
  id: string,
  texts: Texts,
  origin: string | null,
): Promise<SentMessage> {
  const row = await findSent(ctx.db, id);
  if (!row) throw notFound('notification');
  const sent = asSent(actor, row);
  if (row.channel === 'in-app') {
    const told = await findNotificationText(ctx.db, id);
    const { title = null, body = null } =
      (told?.audience && renderTemplate(told.audience, told.type, told.parameters, texts)) || (told ?? {});
    return { ...sent, subject: title, text: body, html: null };
  }
  const stored = await findMessageText(ctx.db, id);
  // It names the recipient's address, and its link opens more: as with the link itself, reading it is audited.
  const isRecipients = stored?.audience === 'recipient';
  const isAllowed = !isRecipients || actor.permissions.includes('packages.view_all');
  const isShown = stored && isAllowed && !(await isItsDriver(ctx, actor, stored));
  const [source] = isShown ? await withRecipients(ctx, [stored]) : [];
  const content = source && (source.content ?? (await textOf(ctx, row, source)));
  if (!content) return { ...sent, subject: null, text: null, html: null };
  if (isRecipients)
    await audit(ctx.db, { act: 'recipient-link.read', actorId: actor.id, subjectId: source.package_id });
  const { text, html } = await composeMessage(ctx, content, source, origin);
  return { ...sent, subject: source.channel === 'sms' ? null : content.subject, text, html };
}
