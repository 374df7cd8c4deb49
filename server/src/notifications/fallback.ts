import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Tx } from '../platform/database/db.ts';
import { decide, endOfLife } from './delivery-rules.ts';
import { findCandidate, findCandidateFacts, insertMessages, lockPackages } from './message-queries.ts';
import { messageId } from './message-id.ts';
import { hasTransport } from './messages.ts';
import { tellRecipientsIn } from './recipient-messages.ts';

const dayMs = 86_400_000;

export type FallbackCtx = Pick<Ctx, 'config' | 'now' | 'settings'>;

/**
 * Tells by another channel what has failed by one, in the transaction in which it fails. A recipient gets it by every other address that is known
 * by now, an account by email in place of an SMS, unless it has turned that off. Never twice for one event: ids of messages are derived.
 */
export async function fallBack(ctx: FallbackCtx, tx: Tx, failed: { id: string; at: Date }): Promise<void> {
  const message = await findCandidate(tx, failed);
  if (!message) return;
  const { at, event_id: eventId, user_id: userId, type, kind, package_id: packageId } = message;
  if (message.audience === 'recipient')
    return tellRecipientsIn(ctx, tx, { eventIds: [eventId], ...(packageId && { packageIds: [packageId] }) });
  if (message.channel !== 'sms' || userId === null) return;
  const candidate = { ...message, channel: 'email' as const, id: messageId(at, eventId, userId, 'email') };
  if (packageId !== null) await lockPackages(tx, [packageId]);
  const now = ctx.now();
  const [facts] = await findCandidateFacts(tx, [candidate], new Date(now.getTime() - dayMs));
  if (!facts || facts.is_queued) return;
  const { address, language, quiet_hours: quietHours, sent } = facts;
  const { timeZone } = await ctx.settings.find();
  const endsAt = endOfLife(type, at, timeZone);
  const enabled = facts.enabled ?? true;
  const decision = decide({ channel: 'email', kind, enabled, address, quietHours, endsAt, sent: Number(sent), now });
  if (decision.is !== 'send') return;
  await insertMessages(tx, [
    {
      ...candidate,
      address,
      language: language ?? 'en',
      ends_at: endsAt,
      state: hasTransport(ctx.config, 'email') ? 'queued' : 'held',
      reason: null,
      due_at: decision.at,
      is_fallback: true,
      digest_id: null,
    },
  ]);
  await record(tx, { type: 'notification.progressed', at: now, actorId: null, userId });
}
