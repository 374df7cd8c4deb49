import { createHash } from 'node:crypto';
import type { ContactInput, ContactListQuery, ContactMessage, ContactStatus } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  asMessage,
  findOpenTwin,
  insertMessage,
  listMessageRows,
  lockMessage,
  setMessageResolved,
  type MessageRow,
} from './queries.ts';

const arrived = { message: 'Your message has arrived. The administrators will answer by email.' };

/**
 * Takes a visitor's message, once: what is open already with the same words is the same message, sent twice.
 * Programs that fill in what no person sees are told the same as everybody.
 *
 * @param address whose messages are counted
 */
export async function sendMessage(ctx: Ctx, input: ContactInput, address: string): Promise<{ message: string }> {
  await ctx.rateLimits.take('contact', networkOf(address));
  if (input.website) return arrived;
  // Of all strangers together: what they write stays until somebody has read it.
  await ctx.rateLimits.take('contactInAll', 'all', {
    message: 'Too many messages have come in. Please try again in an hour.',
  });
  const { name, email, message } = input;
  const trackingId = input.trackingId ?? null;
  const digest = createHash('sha256')
    .update(JSON.stringify([name, email, message, trackingId]))
    .digest();
  const at = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const messageNumber = await insertMessage(tx, { name, email, message, trackingId, digest, at });
    if (messageNumber !== null) await record(tx, { type: 'message.received', at, actorId: null, messageNumber });
  });
  return arrived;
}

export async function listMessages(ctx: Ctx, query: ContactListQuery): Promise<Page<ContactMessage>> {
  const searched =
    "lower(m.number || ' ' || m.name || ' ' || m.email || ' ' || coalesce(m.tracking_id, '') || ' ' || m.message)";
  const filter = filterList({ q: searched, day: 'm.created_at', id: 'm.number' }, query);
  if (query.status) filter.where(`m.status = ${filter.value(query.status)}`);
  const rows = await listMessageRows(ctx.db, filter.page(), filter.values());
  const count = query.count ? await filter.count(ctx.db, 'contact_messages m') : null;
  return pageOf(rows, query.limit, count, (row) => String(row.number), asMessage);
}

async function getMessage(tx: Tx, number: number): Promise<MessageRow> {
  const message = await lockMessage(tx, number);
  if (!message) throw notFound('message');
  return message;
}

export async function moveMessage(
  ctx: Ctx,
  admin: Actor,
  number: number,
  status: ContactStatus,
): Promise<ContactMessage> {
  return ctx.db.transaction(async (tx) => {
    const message = await getMessage(tx, number);
    if (message.status === status) return asMessage(message);
    const at = ctx.now();
    const resolved = status === 'Resolved';
    const twin = resolved ? null : await findOpenTwin(tx, number);
    if (twin !== null) throw new AppError('conflict', `The same message is open already: #${twin}`);
    await setMessageResolved(tx, number, resolved ? { id: admin.id, at } : null);
    const type = resolved ? 'message.resolved' : 'message.reopened';
    await record(tx, { type, at, actorId: admin.id, messageNumber: number });
    return asMessage(await getMessage(tx, number));
  });
}
