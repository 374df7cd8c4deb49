import { dayIn, fill, type Digest } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findPackage } from '../packages/row.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { nextTimeOfDay, startOfDay } from './delivery-rules.ts';
import {
  insertMessages,
  lockWaiting,
  lockWaitingDigest,
  type DigestOutcome,
  type NewMessage,
} from './message-queries.ts';
import { messageId } from './message-id.ts';
import type { MessageContent, MessageItem } from './mail.ts';
import { contentOf, pathOf, textsIn, type TextSource } from './message-text.ts';
import { isStillTrue } from './recipient-text.ts';

/** The type of the email that carries others. No event has it. */
export const digestType = 'digest';

const dayMs = 86_400_000;
const lifeMs = 7 * dayMs;

/** A person waits for an answer. */
const urgentTypes = new Set(['package.messaged', 'message.received', 'issue.reported']);

/**
 * When a message to an account with a digest is sent with the others; null: at once, as it cannot be turned off, somebody waits for an answer, or
 * it would be over by then.
 */
export function timeOfDigest(
  { type, kind, ends_at: endsAt }: Pick<NewMessage, 'type' | 'kind' | 'ends_at'>,
  digest: Digest | null,
  now: Date,
): Date | null {
  if (digest === null || kind === null || urgentTypes.has(type)) return null;
  const time = nextTimeOfDay(digest, now);
  return endsAt > time ? time : null;
}

/** The id of the email that carries what is gathered now: one for each account and day, made by its first message. */
export async function carrierOf(
  tx: Tx,
  message: Pick<NewMessage, 'user_id' | 'address' | 'language' | 'state'>,
  digest: Digest,
  now: Date,
): Promise<string> {
  const waiting = await lockWaitingDigest(tx, message.user_id ?? '', now);
  if (waiting !== null) return waiting;
  let time = nextTimeOfDay(digest, now);
  for (let tries = 0; tries < 3; tries++) {
    const day = dayIn(digest.timeZone, time);
    // The day before: never in the future.
    const at = startOfDay(dayIn('UTC', new Date(Date.parse(day) - dayMs)), digest.timeZone);
    const id = messageId(at, `digest ${day}`, message.user_id ?? '', 'email');
    await insertMessages(tx, [
      {
        ...message,
        id,
        at,
        channel: 'email',
        event_id: '0',
        type: digestType,
        kind: null,
        audience: 'account',
        parameters: {},
        package_id: null,
        tracking_id: null,
        incident_number: null,
        ends_at: new Date(time.getTime() + lifeMs),
        reason: null,
        due_at: time,
        is_fallback: false,
        digest_id: null,
      },
    ]);
    if (await lockWaiting(tx, { id, at }, now)) return id;
    // It has gone out already: the hour was changed since.
    time = nextTimeOfDay(digest, time);
  }
  throw new Error('no digest takes the message');
}

interface Member extends Omit<TextSource, 'recipient'> {
  id: string;
  ends_at: Date;
  enabled: boolean | null;
}

/** What later steps of a package overtake. */
const overtaken = new Set([
  'delivery.started',
  'delivery.assigned',
  'delivery.next',
  'delivery.completed',
  'delivery.failed',
  'delivery.released',
  'package.collected',
]);

async function isTrueNow(db: Queryable, { type, package_id: id }: Member): Promise<boolean> {
  if (id === null || !overtaken.has(type)) return true;
  const pkg = await findPackage(db, id, null);
  return pkg !== null && isStillTrue(type, pkg);
}

/** The text of a digest as of now, and which messages are in it. `content` is null if nothing is left to tell. */
export async function composeDigest(
  ctx: Pick<Ctx, 'db' | 'settings' | 'now'>,
  { id, at, user_id: userId, language }: { id: string; at: Date; user_id: string | null; language: string },
): Promise<DigestOutcome & { content: MessageContent | null }> {
  const members = await ctx.db.query<Member>(
    `select m.id, m.channel, m.type, m.audience, m.parameters, m.language, m.package_id, m.incident_number, m.ends_at, u.role, p.enabled
     from messages m join users u on u.id = m.user_id
     left join notification_preferences p on p.user_id = m.user_id and p.channel = m.channel and p.kind = m.kind
     where m.user_id = $1 and m.digest_id = $2 and m.at > $3 and m.state in ('queued', 'held') order by m.at, m.id`,
    [userId, id, new Date(at.getTime() - lifeMs)],
  );
  const told: DigestOutcome = { sent: [], late: [] };
  const items: MessageItem[] = [];
  for (const member of members) {
    const source = { ...member, recipient: null };
    const isTold = member.enabled !== false && member.ends_at > ctx.now() && (await isTrueNow(ctx.db, member));
    const content = isTold ? await contentOf(ctx, source) : null;
    (content ? told.sent : told.late).push(member.id);
    if (content) items.push({ title: content.subject, body: content.paragraphs.join(' '), path: pathOf(source) });
  }
  if (items.length === 0) return { ...told, content: null };
  const { organisationName: organisation } = await ctx.settings.find();
  const { digest } = textsIn(language).notifications.mail;
  return { ...told, content: { subject: fill(digest.subject, { organisation }), paragraphs: [digest.intro], items } };
}
