import { createHash } from 'node:crypto';
import type { ContactInput, ContactListQuery, ContactMessage, ContactStatus } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { countRows, filterList, type Count } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  asMessage,
  findOpenDuplicate,
  insertMessage,
  listMessageRows,
  lockMessage,
  setMessageResolved,
  type MessageRow,
} from './queries.ts';

const confirmation = { message: 'Your message has arrived. The administrators will answer by email.' };

/**
 * Stores a visitor's message. A duplicate of an open message is stored once. Bots that fill in the hidden honeypot field get the same
 * confirmation.
 *
 * @param address the client's address, for the rate limit
 */
export async function sendMessage(ctx: Ctx, input: ContactInput, address: string): Promise<{ message: string }> {
  await ctx.rateLimits.take('contact', networkOf(address));
  if (input.website) return confirmation;
  // A global limit too: messages stay until an administrator has resolved them.
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
  return confirmation;
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

/** Counts the messages that nobody has resolved. */
export const countOpenMessages = (db: Queryable): Promise<Count> =>
  countRows(db, "contact_messages where status = 'Open'", []);

async function requireMessage(tx: Tx, number: number): Promise<MessageRow> {
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
    const message = await requireMessage(tx, number);
    if (message.status === status) return asMessage(message);
    const at = ctx.now();
    const resolved = status === 'Resolved';
    const duplicate = resolved ? null : await findOpenDuplicate(tx, number);
    if (duplicate !== null) throw new AppError('conflict', `The same message is open already: #${duplicate}`);
    await setMessageResolved(tx, number, resolved ? { id: admin.id, at } : null);
    const type = resolved ? 'message.resolved' : 'message.reopened';
    await record(tx, { type, at, actorId: admin.id, messageNumber: number });
    return asMessage(await requireMessage(tx, number));
  });
}
