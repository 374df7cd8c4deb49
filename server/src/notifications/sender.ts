import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { slowChannels, type SlowChannel } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events/record.ts';
import { findBlocked, hashOf } from './blocked-addresses.ts';
import { findBounced, markBounced } from './bounced-addresses.ts';
import { decide, recipientQuietHours } from './delivery-rules.ts';
import { composeDigest, digestType } from './digest.ts';
import { fallBack } from './fallback.ts';
import {
  claimMessages,
  finishCarried,
  finishMessages,
  holdMessages,
  type ClaimedMessage,
  type EndedAttempt,
  type Outcome,
} from './message-queries.ts';
import { hasPasswordLink, mailedToken } from '../users/mailed-links.ts';
import { startPoll } from '../platform/polls.ts';
import { composeMessage, contentOf, publicOrigin, withRecipients, type WithRecipient } from './message-text.ts';
import { openPush } from './push.ts';
import { addressFor, isStillTrue } from './recipient-text.ts';
import { findChangedText } from './template-queries.ts';
import { openSms } from './sms.ts';
import { openSmtpThread } from './smtp-thread.ts';
import { BouncedError, NoAddressError, OptedOutError, RefusedError, type Transport } from './transport.ts';

/** Looks for messages that are due: retries, and what nobody has announced. */
const pollEveryMs = 5000;
/** After an attempt, for those that end with it: each look costs the database as much as an outcome. */
const claimAfterMs = 20;
/** Outcomes that come within this time are stored together, as is all that comes while others are stored. */
const storeAfterMs = 20;
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

type Source = WithRecipient<ClaimedMessage & { channel: SlowChannel }>;

/** What the attempts of messages that were claimed together need of the database. */
interface Facts {
  sources: Map<string, Source>;
  /** By the hash of the address. */
  blocked: Set<string>;
  bounced: Map<string, Date>;
  changedText(kind: string, language: string): ReturnType<typeof findChangedText>;
}

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
    email: () => (config.SMTP_URL && config.MAIL_FROM ? openSmtpThread(config.SMTP_URL, config.MAIL_FROM) : null),
    sms: () => openSms(config),
    push: () => openPush(ctx),
  };
  return opened[channel]();
}

/**
 * Sends the messages of a channel outside of any transaction: leases due rows, as many as the transport sends at once, and stores the
 * outcomes. Any number of processes may do so. Each statement is for many messages: they are most of what a message costs.
 */
function openSender(ctx: SenderCtx, channel: SlowChannel, transport: Transport): Sender {
  const running = new Set<Promise<void>>();
  const ended: EndedAttempt[] = [];
  let storing: Promise<void> | null = null;
  let isClosed = false;
  let isClaiming = false;
  let isWoken = false;
  let claimTimer: NodeJS.Timeout | null = null;
  /** The last message that waits to be composed. */
  let turn: Promise<unknown> = Promise.resolve();
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
        if (claimed.length === 0) continue;
        const gathered = factsFor(claimed);
        // One that cannot be composed keeps no others from being sent.
        const factsOf = (message: ClaimedMessage) => gathered.catch(() => factsFor([message]));
        for (const message of claimed) {
          const attempt = deliver(message, factsOf(message)).finally(() => {
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

  const factsFor = async (claimed: ClaimedMessage[]): Promise<Facts> => {
    const sources = await withRecipients(
      ctx,
      claimed.map((message) => ({ ...message, channel })),
    );
    const addresses = sources.map((source) => addressOf(source)).filter((address) => address !== null);
    const hashes = [...new Set(addresses.map((address) => hashOf(ctx, channel, address)))];
    const [blocked, bounced] = await Promise.all([
      findBlocked(ctx.db, channel, hashes),
      findBounced(ctx.db, channel, hashes),
    ]);
    const texts = new Map<string, ReturnType<typeof findChangedText>>();
    return {
      sources: new Map(sources.map((source) => [source.id, source])),
      blocked,
      bounced,
      changedText(kind, language) {
        const key = `${kind} ${language}`;
        const text = texts.get(key) ?? findChangedText(ctx.db, kind, language);
        texts.set(key, text);
        return text;
      },
    };
  };

  const deliver = async (message: ClaimedMessage, facts: Promise<Facts>): Promise<void> => {
    ended.push({ message, outcome: await attemptOf(message, facts) });
    // The transport is free: the next messages do not wait for this.
    storing ??= storeEnded();
  };

  const storeEnded = async (): Promise<void> => {
    await sleep(isClosed ? 0 : storeAfterMs);
    while (ended.length > 0) {
      const batch = ended.splice(0);
      const others = batch.filter((one) => !isPlain(one));
      await Promise.all([storePlain(batch.filter(isPlain)), ...others.map(storeOther)]);
    }
    storing = null;
  };

  const storePlain = async (plain: EndedAttempt[]): Promise<void> => {
    if (plain.length === 0) return;
    try {
      await finishMessages(ctx.db, plain);
      for (const { message } of plain) changedUser ??= message.user_id;
    } catch {
      // Each by itself, so that none keeps the others from being stored.
      await Promise.all(plain.map((one) => persist(one, () => finishMessages(ctx.db, [one]))));
    }
  };

  const storeOther = (one: EndedAttempt): Promise<void> =>
    persist(one, () =>
      ctx.db.transaction(async (tx) => {
        const { message, outcome } = one;
        await finishMessages(tx, [one]);
        if (outcome.bounced !== undefined && channel !== 'push')
          await markBounced(ctx, tx, channel, outcome.bounced, message);
        if (outcome.carried !== undefined) await finishCarried(tx, message, outcome.carried);
        // Also what is not even tried, as its address does not work.
        if (outcome.state === 'failed' || outcome.reason === 'bounced') await fallBack(ctx, tx, message);
      }),
    );

  /** Without its outcome a message that was sent would be sent again. */
  const persist = async ({ message }: EndedAttempt, store: () => Promise<void>): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await store();
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

  const addressOf = ({ address, audience, recipient }: Source): string | null =>
    audience === 'recipient' ? recipient && addressFor(channel, recipient) : address;

  /** Who has no account chooses nothing: the owner of the package does, and the organisation. */
  const termsOf = async (message: Source) => {
    const { enabled, quiet_hours: quietHours, recipient, is_fallback: isFallback } = message;
    const address = addressOf(message);
    if (message.audience !== 'recipient')
      return { address, enabled: enabled ?? (isFallback ? true : null), quietHours };
    const { timeZone } = await ctx.settings.find();
    return {
      address,
      enabled: recipient?.enabled ?? true,
      quietHours: recipientQuietHours(ctx.config, timeZone),
    };
  };

  const attemptOf = async (claimed: ClaimedMessage, gathered: Promise<Facts>): Promise<Outcome> => {
    try {
      const facts = await gathered;
      const source = facts.sources.get(claimed.id);
      if (!source) throw new Error('nothing is known of it');
      return await attemptFor(source, facts);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof NoAddressError) return { state: 'suppressed', reason: 'no_address' };
      if (error instanceof OptedOutError) return { state: 'suppressed', reason: 'opted_out', error: reason };
      if (error instanceof BouncedError) return { state: 'failed', error: reason, bounced: error.address };
      if (error instanceof RefusedError || claimed.attempts >= maxAttempts) return { state: 'failed', error: reason };
      return { state: 'queued', error: reason, dueAt: new Date(ctx.now().getTime() + retryDelayMs(claimed.attempts)) };
    }
  };

  /** One message in a turn of the event loop: to compose those that were claimed together takes as long as several lookups. */
  const takeTurn = () => (turn = turn.then(() => nextTurn()));

  const attemptFor = async (message: Source, facts: Facts): Promise<Outcome> => {
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
    // STOP is a matter of the number, whoever has it; an account chooses its emails itself.
    const canBeBlocked = recipient !== null || channel === 'sms';
    const hash = address === null ? '' : hashOf(ctx, channel, address);
    if (canBeBlocked && facts.blocked.has(hash)) return { state: 'suppressed', reason: 'opted_out', isNoAttempt: true };
    // A link that somebody waits for is tried all the same.
    if (address !== null && !hasPasswordLink(message.type) && facts.bounced.has(hash))
      return { state: 'suppressed', reason: 'bounced', bounced: address, isNoAttempt: true };
    await takeTurn();
    const { content, ...carried } =
      message.type === digestType
        ? await composeDigest(ctx, message)
        : { content: await contentOf(ctx, message, (kind) => facts.changedText(kind, message.language)) };
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

  const stopPoll = startPoll(() => void claim(), pollEveryMs);
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
      stopPoll();
      clearInterval(signalTimer);
      const allStored = Promise.all(running).then(() => storing);
      await Promise.race([allStored, sleep(closeMs, null, { ref: false })]);
      transport.close();
    },
  };
}

/** What a single statement stores. */
const isPlain = ({ outcome: { bounced, carried, state } }: EndedAttempt): boolean =>
  bounced === undefined && carried === undefined && state !== 'failed';

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
