import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { applyReceipt } from './message-queries.ts';

/** What a provider says became of a message that it had accepted. */
export interface Receipt {
  state: 'delivered' | 'failed';
  /** Why it failed. */
  reason: string | null;
}

// Providers pass on what carriers say.
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f]+/g;

/** The time of its event, which the id of a message begins with; null: it is not the id of one. */
export function timeOfMessage(id: string): Date | null {
  if (!/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(id)) return null;
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * Stores what a provider reports. Idempotent, and never backwards: what has been delivered stays delivered, whatever comes later. Unknown
 * messages, such as those whose month was removed, change nothing.
 */
export async function receive(ctx: Pick<Ctx, 'db' | 'now'>, id: string, receipt: Receipt): Promise<void> {
  const at = timeOfMessage(id);
  if (!at) return;
  await ctx.db.transaction(async (tx) => {
    const reason = receipt.reason?.replaceAll(unprintable, ' ').toWellFormed() ?? null;
    const changed = await applyReceipt(tx, { id, at }, { ...receipt, reason });
    if (changed?.told_user_id == null) return;
    await record(tx, { type: 'notification.progressed', at: ctx.now(), actorId: null, userId: changed.told_user_id });
  });
}
