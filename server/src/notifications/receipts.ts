import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Tx } from '../platform/database/db.ts';
import { hashOf, setBlocked } from './blocked-addresses.ts';
import { liftBounce, markBounced } from './bounced-addresses.ts';
import { fallBack } from './fallback.ts';
import { applyReceipt, findReceiver } from './message-queries.ts';

/** What a provider says became of a message that it had accepted. */
interface Receipt {
  state: 'delivered' | 'failed';
  /** Why it failed. */
  reason: string | null;
}

type ReceiptCtx = Pick<Ctx, 'config' | 'db' | 'now' | 'settings' | 'urlKey'>;

// Providers pass on what carriers say.
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f]+/g;

/** The time of its event, which the id of a message begins with; null: it is not the id of one. */
export function timeOfMessage(id: string): Date | null {
  if (!/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(id)) return null;
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** What became of an SMS that the provider had accepted. */
export interface SmsReport extends Receipt {
  /** Whether the number does not exist, or not any more. */
  isBounce: boolean;
}

/** A number that does not exist is left alone until it is corrected; one that a message has reached works. */
export async function receiveSmsReport(ctx: ReceiptCtx, id: string, report: SmsReport): Promise<void> {
  const at = timeOfMessage(id);
  if (!at) return;
  await ctx.db.transaction(async (tx) => {
    await store(ctx, tx, id, report);
    const message = await findReceiver(tx, 'sms', { id, at });
    if (!message?.address) return;
    if (report.isBounce) await markBounced(ctx, tx, 'sms', message.address, message);
    else if (report.state === 'delivered') await liftBounce(ctx, tx, 'sms', message.address);
  });
}

/**
 * Stores what a provider reports. Idempotent, and never backwards: what has been delivered stays delivered, whatever comes later. Unknown
 * messages, such as those whose month was removed, change nothing.
 */
async function store(ctx: ReceiptCtx, tx: Tx, id: string, receipt: Receipt): Promise<void> {
  const at = timeOfMessage(id);
  if (!at) return;
  const reason = receipt.reason?.replaceAll(unprintable, ' ').toWellFormed() ?? null;
  const changed = await applyReceipt(tx, { id, at }, { ...receipt, reason });
  if (!changed) return;
  if (receipt.state === 'failed') await fallBack(ctx, tx, { id, at });
  if (changed.told_user_id === null) return;
  await record(tx, { type: 'notification.progressed', at: ctx.now(), actorId: null, userId: changed.told_user_id });
}

/** What became of an email after the mail server had accepted it. Its id, its address or both are known. */
export interface MailReport {
  id: string | null;
  address: string | null;
  state: 'delivered' | 'bounced' | 'complained';
  reason: string | null;
}

/**
 * An address that bounces is left alone until it is corrected, somebody who complains is unsubscribed from messages about packages, and an
 * address that a message has reached works.
 */
export async function receiveMailReport(ctx: ReceiptCtx, report: MailReport): Promise<void> {
  const { id, state, reason } = report;
  const at = id === null ? null : timeOfMessage(id);
  await ctx.db.transaction(async (tx) => {
    const message = id !== null && at ? await findReceiver(tx, 'email', { id, at }) : null;
    if (id !== null && state !== 'complained')
      await store(ctx, tx, id, { state: state === 'bounced' ? 'failed' : state, reason });
    const address = message?.address ?? report.address;
    if (address === null) return;
    if (state === 'bounced') await markBounced(ctx, tx, 'email', address, message);
    else if (state === 'delivered') await liftBounce(ctx, tx, 'email', address);
    else await setBlocked(tx, 'email', hashOf(ctx, 'email', address), true);
  });
}
