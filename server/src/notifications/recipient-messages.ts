import { notificationKindOf, type NotificationKind, type SlowChannel } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { ToldEvents } from '../events/event-jobs.ts';
import { recordAll } from '../events/record.ts';
import type { Tx } from '../platform/database/db.ts';
import { decide, endOfLife, recipientQuietHours } from './delivery-rules.ts';
import { insertMessages, lockPackages, type NewMessage } from './message-queries.ts';
import { messageId } from './message-id.ts';
import { hasTransport } from './messages.ts';
import { changedForRecipient, parametersOf, type NotifiableEvent } from './parameters.ts';
import { findRecipientChoices, findToldBefore, findToldEvents, type ToldEvent } from './recipient-queries.ts';

const dayMs = 86_400_000;

/** The channels to a recipient, each with the column of its address. */
const recipientChannels = { email: 'recipient_email', sms: 'recipient_phone' } as const satisfies Partial<
  Record<SlowChannel, keyof ToldEvent>
>;
const channelsToRecipients = Object.keys(recipientChannels) as (keyof typeof recipientChannels)[];

/**
 * Queues the messages to the recipients of packages about these events, by every address that is known: a few statements for any number of
 * packages. Idempotent, as the id of a message is derived from event, person and channel.
 */
export async function tellRecipients(
  ctx: Pick<Ctx, 'config' | 'db' | 'now' | 'settings'>,
  told: ToldEvents,
): Promise<void> {
  await ctx.db.transaction((tx) => tellRecipientsIn(ctx, tx, told));
}

/** As above, in a transaction. */
export async function tellRecipientsIn(
  ctx: Pick<Ctx, 'config' | 'now' | 'settings'>,
  tx: Tx,
  told: ToldEvents,
): Promise<void> {
  const { timeZone } = await ctx.settings.find();
  const events = (await findToldEvents(tx, told)).filter(concernsRecipient);
  const [anyone] = events;
  if (!anyone) return;
  const messages = await messagesAbout(ctx, tx, events, timeZone);
  if (messages.length === 0) return;
  const inserted = await insertMessages(tx, messages);
  // One wakes the senders and the screens.
  if (inserted.length > 0)
    await recordAll(tx, [{ type: 'notification.progressed', at: ctx.now(), actorId: null, userId: anyone.owner_id }]);
}

/** Whether the recipient has to know: not of a second driver, nor of what is not about the delivery. */
function concernsRecipient({ type, actor_id: actor, changes, previous_driver_id: before, was_ended }: ToldEvent) {
  if (type === 'delivery.assigned') return before === null;
  // By the wish of the recipient, who is told of that.
  if (type === 'delivery.released') return actor !== null;
  if (type === 'package.updated') return changedForRecipient(changes);
  return type !== 'package.deleted' || !was_ended;
}

async function messagesAbout(
  { config, now: clock }: Pick<Ctx, 'config' | 'now'>,
  tx: Tx,
  events: ToldEvent[],
  timeZone: string,
): Promise<NewMessage[]> {
  const now = clock();
  const packages = [...new Set(events.map(({ package_id: id }) => id))];
  // Sent together and carried out in this order.
  const [, choices, told] = await Promise.all([
    lockPackages(tx, packages),
    findRecipientChoices(tx, [...new Set(events.map(({ owner_id: id }) => id))]),
    findToldBefore(tx, packages, new Date(now.getTime() - dayMs)),
  ]);
  const quietHours = recipientQuietHours(config, timeZone);
  return events.flatMap((event) => {
    const { id: eventId, type, at, package_id: packageId } = event;
    const kind = notificationKindOf(type) as NotificationKind;
    const endsAt = endOfLife(type, at, timeZone);
    const parameters = parametersOf(asNotifiable(event), false);
    return channelsToRecipients.flatMap((channel): NewMessage[] => {
      const address = event[recipientChannels[channel]];
      const group = `${packageId} ${channel}`;
      const enabled = choices.get(`${event.owner_id} ${kind}`) ?? true;
      const sent = told.get(group) ?? 0;
      const decision = decide({ channel, kind, enabled, address, quietHours, endsAt, sent, now });
      // Who has no such address is not missed by this channel.
      if (decision.is === 'none' || address === null) return [];
      if (decision.is === 'send') told.set(group, sent + 1);
      return [
        {
          id: messageId(at, eventId, 'recipient', channel),
          channel,
          event_id: eventId,
          type,
          kind,
          audience: 'recipient',
          parameters,
          package_id: packageId,
          tracking_id: event.tracking_id,
          incident_number: null,
          user_id: null,
          at,
          address,
          language: event.recipient_language ?? 'en',
          ends_at: endsAt,
          is_fallback: false,
          digest_id: null,
          ...(decision.is === 'send'
            ? { state: hasTransport(config, channel) ? 'queued' : 'held', reason: null, due_at: decision.at }
            : { state: 'suppressed', reason: decision.reason, due_at: null }),
        },
      ];
    });
  });
}

/** Notes are for owners and drivers, but why an attempt failed is for everybody. */
const asNotifiable = (event: ToldEvent): NotifiableEvent => ({
  ...event,
  note: event.type === 'delivery.failed' ? event.note : null,
  driver_id: null,
  user_id: null,
  rating_comment: null,
  incident_number: null,
  incident_type: null,
  message_number: null,
  reporter_id: null,
  // Said by a sentence of its own.
  return_due: false,
});
