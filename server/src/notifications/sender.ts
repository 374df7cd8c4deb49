import { setTimeout as sleep } from 'node:timers/promises';
import { slowChannels, type SlowChannel } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events/record.ts';
import { isBlocked } from './blocked-addresses.ts';
import { findBounce, markBounced } from './bounced-addresses.ts';
import { decide, recipientQuietHours } from './delivery-rules.ts';
import { composeDigest, digestType } from './digest.ts';
import { fallBack } from './fallback.ts';
import {
  claimMessages,
  finishCarried,
  finishMessage,
  holdMessages,
  type ClaimedMessage,
  type Outcome,
} from './message-queries.ts';
import { hasPasswordLink, mailedToken } from '../users/mailed-links.ts';
import { composeMessage, contentOf, publicOrigin, withRecipient } from './message-text.ts';
import { openPush } from './push.ts';
import { addressFor, isStillTrue } from './recipient-text.ts';
import { openSms } from './sms.ts';
import { openSmtp } from './smtp.ts';
import { BouncedError, NoAddressError, OptedOutError, RefusedError, type Transport } from './transport.ts';

/** Looks for messages that are due: retries, and what nobody has announced. */
const pollEveryMs = 5000;
/** After an attempt, for those that end with it: each look costs the database as much as an outcome. */
const claimAfterMs = 20;
/** An attempt ends within this time, whatever the other side does. */
const attemptMs = 45_000;
/** Longer than an attempt and the storing of its outcome. */
const leaseSeconds = 60;
/** How long `close` waits for attempts under way. Those left are made again by another process, once their lease has ended. */
const closeMs = 5000;
/** At most this often screens hear of new states. */
const signalEveryMs = 500;

const firstRetryMs = 30_000;
const longestRetryMs = 3_600_000;
/** With the delays above 27 hours: a receiver that is down for a day gets all that is still true. */
export const maxAttempts = 34;

/** The pause after a failed attempt: doubles up to an hour, 10 % more or less. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs) * (0.9 + Math.random() * 0.2);

export interface Sender {
  /** Looks for due messages now. */
  wake(): void;
  close(): Promise<void>;
}

type Source = Awaited<ReturnType<typeof withRecipient<ClaimedMessage & { channel: SlowChannel }>>>;

type SenderCtx = Pick<Ctx, 'config' | 'db' | 'settings' | 'log' | 'now' | 'pushKeys' | 'urlKey'>;

/** Starts sending by every channel that is set up; messages by others are held. */
export function openSenders(ctx: SenderCtx): Sender {
  const senders = slowChannels.flatMap((channel) => {
    const transport = openTransport(ctx, channel);
    if (transport) return [openSender(ctx, channel, transport)];
    holdMessages(ctx.db, channel).catch((error: unknown) =>
      ctx.log.warn({ reason: String(error) }, 'messages without a transport could not be marked as held'),
    );
    return [];
  });
  return {
    wake: () => senders.forEach((sender) => sender.wake()),
    close: async () => void (await Promise.all(senders.map((sender) => sender.close()))),
  };
}

function openTransport(ctx: SenderCtx, channel: SlowChannel): Transport | null {
  const { config } = ctx;
  const opened: Record<SlowChannel, () => Transport | null> = {
    email: () => (config.SMTP_URL && config.MAIL_FROM ? openSmtp(config.SMTP_URL, config.MAIL_FROM) : null),
    sms: () => openSms(config),
    push: () => openPush(ctx),
  };
  return opened[channel]();
}

/**
 * Sends the messages of a channel outside of any transaction: leases due rows, as many as the transport sends at once, and stores each
 * outcome. Any number of processes may do so.
 */
function openSender(ctx: SenderCtx, channel: SlowChannel, transport: Transport): Sender {
  const running = new Set<Promise<void>>();
  let isClosed = false;
  let isClaiming = false;
  let isWoken = false;
  let claimTimer: NodeJS.Timeout | null = null;
  /** A user whose message has a new state that screens have not heard of. */
  let changedUser: string | null = null;

  const claim = async () => {
    if (isClosed) return;
    if (isClaiming) return void (isWoken = true);
    isClaiming = true;
    try {
      do {
        isWoken = false;
        const free = transport.concurrency - running.size;
        if (free <= 0) break;
        const claimed = await claimMessages(ctx.db, channel, ctx.now(), free, { lease: uuid(), leaseSeconds });
        for (const message of claimed) {
          const attempt = deliver(message).finally(() => {
            running.delete(attempt);
            claimTimer ??= setTimeout(() => {
              claimTimer = null;
              void claim();
            }, claimAfterMs).unref();
          });
          running.add(attempt);
        }
      } while (isWoken && !isClosed);
    } catch (error) {
      ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'messages could not be read');
    } finally {
      isClaiming = false;
    }
  };

  const store = (message: ClaimedMessage, outcome: Outcome): Promise<void> => {
    const { bounced, carried, state } = outcome;
    if (bounced === undefined && carried === undefined && state !== 'failed')
      return finishMessage(ctx.db, message, outcome);
    return ctx.db.transaction(async (tx) => {
      await finishMessage(tx, message, outcome);
      if (bounced !== undefined) await markBounced(ctx, tx, channel, bounced, message);
      if (carried !== undefined) await finishCarried(tx, message, carried);
      if (state === 'failed') await fallBack(ctx, tx, message);
    });
  };

  const deliver = async (message: ClaimedMessage): Promise<void> => {
    const outcome = await attemptOf(message);
    // Without its outcome a message that was sent would be sent again.
    for (let tries = 1; ; tries++) {
      try {
        await store(message, outcome);
        changedUser ??= message.user_id;
        return;
      } catch (error) {
        if (tries === 3) {
          const reason = error instanceof Error ? error.message : String(error);
          ctx.log.warn({ id: message.id, reason }, 'what became of a message could not be stored');
          return;
        }
        await sleep(1000 * tries);
      }
    }
  };

  /** Who has no account chooses nothing: the owner of the package does, and the organisation. */
  const termsOf = async ({ address, enabled, quiet_hours: quietHours, ...message }: Source) => {
    const { recipient, is_fallback: isFallback } = message;
    if (message.audience !== 'recipient')
      return { address, enabled: enabled ?? (isFallback ? true : null), quietHours };
    const { timeZone } = await ctx.settings.find();
    return {
      address: recipient && addressFor(channel, recipient),
      enabled: recipient?.enabled ?? true,
      quietHours: recipientQuietHours(ctx.config, timeZone),
    };
  };

  const attemptOf = async (claimed: ClaimedMessage): Promise<Outcome> => {
    try {
      return await attemptFor(await withRecipient(ctx, { ...claimed, channel }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof NoAddressError) return { state: 'suppressed', reason: 'no_address' };
      if (error instanceof OptedOutError) return { state: 'suppressed', reason: 'opted_out', error: reason };
      if (error instanceof BouncedError) return { state: 'failed', error: reason, bounced: error.address };
      if (error instanceof RefusedError || claimed.attempts >= maxAttempts) return { state: 'failed', error: reason };
      return { state: 'queued', error: reason, dueAt: new Date(ctx.now().getTime() + retryDelayMs(claimed.attempts)) };
    }
  };

  const attemptFor = async (message: Source): Promise<Outcome> => {
    const { kind, ends_at: endsAt, recipient } = message;
    const { address, enabled, quietHours } = await termsOf(message);
    const now = ctx.now();
    if (recipient && !isStillTrue(message.type, recipient.pkg))
      return { state: 'suppressed', reason: 'late', isNoAttempt: true };
    const decision = decide({ channel, kind, enabled, address, quietHours, endsAt, sent: 0, now });
    // Chosen since it was queued.
    if (decision.is === 'none') return { state: 'suppressed', reason: 'opted_out', isNoAttempt: true };
    if (decision.is === 'suppressed') return { state: 'suppressed', reason: decision.reason, isNoAttempt: true };
    if (decision.at > now) return { state: 'queued', dueAt: decision.at, isNoAttempt: true };
    // STOP is a matter of the number, whoever has it; an account chooses its e-mails itself.
    const canBeBlocked = recipient !== null || channel === 'sms';
    if (canBeBlocked && address !== null && (await isBlocked(ctx, ctx.db, channel, address)))
      return { state: 'suppressed', reason: 'opted_out', isNoAttempt: true };
    // A link that somebody waits for is tried all the same.
    if (address !== null && !hasPasswordLink(message.type) && (await findBounce(ctx, ctx.db, channel, address)))
      return { state: 'suppressed', reason: 'bounced', bounced: address, isNoAttempt: true };
    const { content, ...carried } =
      message.type === digestType ? await composeDigest(ctx, message) : { content: await contentOf(ctx, message) };
    if ('late' in carried && !content) return { state: 'suppressed', reason: 'late', isNoAttempt: true, carried };
    if (!content) throw new Error('this version of the server has no text for it');
    const token = message.user_id ? mailedToken(ctx, message.user_id, message.at) : undefined;
    const composed = await composeMessage(ctx, content, message, publicOrigin(ctx), token);
    const { organisation, replyTo, path, text, html, unsubscribe } = composed;
    const sending = transport.send({
      id: message.id,
      to: address ?? '',
      from: organisation,
      replyTo,
      unsubscribe,
      subject: content.subject,
      text,
      html,
      path,
      endsAt,
    });
    await withinAttempt(sending);
    return { state: 'sent', content, ...(recipient && { address }), ...('late' in carried && { carried }) };
  };

  const pollTimer = setInterval(() => void claim(), pollEveryMs).unref();
  const signalTimer = setInterval(() => {
    if (changedUser === null) return;
    const userId = changedUser;
    changedUser = null;
    ctx.db
      .transaction((tx) => recordAll(tx, [{ type: 'notification.progressed', at: ctx.now(), actorId: null, userId }]))
      .catch(() => (changedUser ??= userId));
  }, signalEveryMs).unref();
  void claim();

  return {
    wake: () => void claim(),
    async close() {
      isClosed = true;
      clearInterval(pollTimer);
      clearInterval(signalTimer);
      await Promise.race([Promise.all(running), sleep(closeMs, null, { ref: false })]);
      transport.close();
    },
  };
}

/** @throws an error if it takes longer than an attempt may */
async function withinAttempt(sending: Promise<void>): Promise<void> {
  const abort = new AbortController();
  const tooLong = sleep(attemptMs, null, { ref: false, signal: abort.signal }).then(() => {
    throw new Error(`no answer within ${attemptMs / 1000} s`);
  });
  try {
    await Promise.race([sending, tooLong]);
  } finally {
    abort.abort();
    tooLong.catch(() => {});
    // An answer that comes too late.
    sending.catch(() => {});
  }
}
