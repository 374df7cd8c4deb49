import { slowChannels, type SlowChannel } from '@waybill/contract';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import type { Tx } from '../platform/database/db.ts';
import { carrierOf, timeOfDigest } from './digest.ts';
import { decide, endOfLife } from './delivery-rules.ts';
import {
  findCandidateFacts,
  insertMessages,
  lockPackages,
  type Candidate,
  type NewMessage,
} from './message-queries.ts';
import type { NewNotification } from './queries.ts';
import { messageId } from './message-id.ts';
import { hasSms } from './sms.ts';

const dayMs = 86_400_000;

/** Whether something is set up that sends messages of a channel. */
export const hasTransport = (config: Config, channel: SlowChannel): boolean =>
  ({ email: config.SMTP_URL !== undefined, sms: hasSms(config), push: true })[channel];

/** That an address does not work is not told to that address. */
const makesSense = (type: string, channel: SlowChannel): boolean =>
  type !== 'account.unreachable' || channel !== 'email';

/**
 * Queues a message for each notification and slow channel that its user wants it by, in the transaction of the notifying job. Idempotent:
 * one message for each event, person and channel.
 *
 * @returns the users with a new message
 */
export async function queueMessages(
  tx: Tx,
  { config, settings, now: clock }: Pick<Ctx, 'config' | 'settings' | 'now'>,
  notifications: NewNotification[],
): Promise<string[]> {
  const candidates = slowChannels.flatMap((channel) =>
    notifications
      .filter(({ type }) => makesSense(type, channel))
      .map((one): Candidate => ({
        ...one,
        channel,
        id: messageId(one.at, one.event_id, one.user_id, channel),
      })),
  );
  if (candidates.length === 0) return [];
  const now = clock();
  const { timeZone } = await settings.find();
  const packages = [...new Set(candidates.flatMap(({ package_id: id }) => id ?? []))];
  if (packages.length > 0) await lockPackages(tx, packages);
  const facts = new Map(
    (await findCandidateFacts(tx, candidates, new Date(now.getTime() - dayMs))).map((one) => [one.id, one]),
  );
  /** The messages of this batch, by user, package and channel. */
  const added = new Map<string, number>();
  const messages = candidates.flatMap((candidate): NewMessage[] => {
    const known = facts.get(candidate.id);
    if (!known || known.is_queued) return [];
    const { address, language, enabled, quiet_hours: quietHours } = known;
    const { channel, kind, type, at, user_id: userId, package_id: packageId } = candidate;
    const group = `${userId} ${packageId} ${channel}`;
    const sent = packageId === null ? 0 : Number(known.sent) + (added.get(group) ?? 0);
    const endsAt = endOfLife(type, at, timeZone);
    const decision = decide({ channel, kind, enabled, address, quietHours, endsAt, sent, now });
    if (decision.is === 'none') return [];
    if (decision.is === 'send') added.set(group, (added.get(group) ?? 0) + 1);
    return [
      {
        ...candidate,
        address,
        language: language ?? 'en',
        ends_at: endsAt,
        is_fallback: false,
        digest_id: null,
        ...(decision.is === 'send'
          ? { state: hasTransport(config, channel) ? 'queued' : 'held', reason: null, due_at: decision.at }
          : { state: 'suppressed', reason: decision.reason, due_at: null }),
      },
    ];
  });
  if (messages.length === 0) return [];
  for (const message of messages) {
    const digest = facts.get(message.id)?.digest ?? null;
    if (digest === null || message.channel !== 'email' || message.due_at === null) continue;
    if (timeOfDigest(message, digest, now) === null) continue;
    message.digest_id = await carrierOf(tx, message, digest, now);
    // The one that carries it is due.
    message.due_at = null;
  }
  return (await insertMessages(tx, messages)).flatMap(({ user_id: id }) => id ?? []);
}
