import type { Digest, NotificationKind, QuietHours, SlowChannel, SuppressionReason } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export type MessageState = 'queued' | 'held' | 'sent' | 'delivered' | 'failed' | 'suppressed';

/** A message to be: a notification for one user and channel. */
export interface Candidate {
  id: string;
  channel: SlowChannel;
  event_id: string;
  type: string;
  kind: NotificationKind | null;
  audience: string;
  parameters: object;
  package_id: string | null;
  tracking_id: string | null;
  incident_number: number | null;
  /** Null: the recipient of the package, who has no account. */
  user_id: string | null;
  /** The time of the event. */
  at: Date;
}

/** A message as it was queued. */
export async function findCandidate(tx: Tx, { id, at }: { id: string; at: Date }): Promise<Candidate | null> {
  const [row] = await tx.query<Candidate>(
    `select id, channel, event_id, type, kind, audience, parameters, package_id, tracking_id, incident_number, user_id, at
     from messages where id = $1 and at = $2`,
    [id, at],
  );
  return row ?? null;
}

export interface CandidateFacts {
  id: string;
  address: string | null;
  language: string | null;
  quiet_hours: QuietHours | null;
  digest: Digest | null;
  enabled: boolean | null;
  sent: string;
  /** By another job about the same event: the owner is the reporter too. */
  is_queued: boolean;
}

/** Of two transactions that count the messages about a package, the second one sees those of the first. */
export async function lockPackages(tx: Tx, ids: string[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('waybill messages ' || id, 0)) from (select unnest($1::text[]) as id order by 1) ids`,
    [ids],
  );
}

/** Without candidates of deleted users. Locks the users' rows against deletion. @param since of the messages to count */
export const findCandidateFacts = (tx: Tx, candidates: Candidate[], since: Date): Promise<CandidateFacts[]> =>
  tx.query<CandidateFacts>(
    `select c.id, case c.channel when 'sms' then u.phone when 'email' then u.email
         else (select u.id::text where exists (select from push_subscriptions s where s.user_id = u.id)) end as address, u.language, u.quiet_hours, u.digest, p.enabled,
       (select count(*) from messages m where m.package_id = c.package_id and m.at > (select $2::timestamptz) and m.channel = c.channel and m.user_id = c.user_id
          and m.state <> 'suppressed' and m.id <> c.id) as sent,
       exists (select from messages m where m.id = c.id and m.at = c.at) as is_queued
     from json_to_recordset($1) as c (id uuid, at timestamptz, user_id uuid, channel text, kind text, package_id uuid)
     join users u on u.id = c.user_id
     left join notification_preferences p on p.user_id = u.id and p.channel = c.channel and p.kind = c.kind
     where u.deleted_at is null for share of u`,
    [
      JSON.stringify(
        candidates.map(({ id, at, user_id, channel, kind, package_id }) => ({
          id,
          at,
          user_id,
          channel,
          kind,
          package_id,
        })),
      ),
      since,
    ],
  );

export interface NewMessage extends Candidate {
  address: string | null;
  language: string;
  state: MessageState;
  reason: SuppressionReason | null;
  due_at: Date | null;
  ends_at: Date;
  /** In place of one by another channel that has failed. */
  is_fallback: boolean;
  /** The message that carries it with others. */
  digest_id: string | null;
}

/** What messages about one change mostly have in common: told once, since half the work of the database was to read it in each row. */
const commonColumns = ['at', 'type', 'kind', 'audience', 'language', 'state', 'due_at', 'ends_at'] as const;
type CommonColumn = (typeof commonColumns)[number];

/** Leaves out those that exist already. @returns the users of the inserted ones */
export const insertMessages = (tx: Tx, messages: NewMessage[]): Promise<{ user_id: string | null }[]> => {
  const [first] = messages;
  const common = commonColumns.filter((column) =>
    messages.every((one) => comparable(one[column]) === comparable(first?.[column])),
  );
  const own = commonColumns.filter((column) => !common.includes(column));
  return tx.query(
    `insert into messages (id, at, channel, event_id, type, kind, audience, parameters, package_id, tracking_id, incident_number, user_id,
       address, language, state, reason, due_at, ends_at, is_fallback, digest_id)
     select m.id, coalesce(m.at, c.at), m.channel, m.event_id, coalesce(m.type, c.type), coalesce(m.kind, c.kind), coalesce(m.audience, c.audience),
       m.parameters, m.package_id, m.tracking_id, m.incident_number, m.user_id, m.address, coalesce(m.language, c.language),
       coalesce(m.state, c.state), m.reason, coalesce(m.due_at, c.due_at), coalesce(m.ends_at, c.ends_at), coalesce(m.is_fallback, false), m.digest_id
     from json_to_record($2) as c (at timestamptz, type text, kind text, audience text, language text, state text, due_at timestamptz,
       ends_at timestamptz)
     cross join json_to_recordset($1) as m (id uuid, at timestamptz, channel text, event_id bigint, type text, kind text, audience text,
       parameters jsonb, package_id uuid, tracking_id text, incident_number integer, user_id uuid, address text, language text, state text,
       reason text, due_at timestamptz, ends_at timestamptz, is_fallback boolean, digest_id uuid)
     on conflict do nothing returning user_id`,
    [
      JSON.stringify(messages.map((message) => asNewRow(message, own))),
      JSON.stringify(first ? pick(first, common) : {}),
    ],
  );
};

const comparable = (value: string | Date | null | undefined) => (value instanceof Date ? value.getTime() : value);

const pick = (message: NewMessage, columns: CommonColumn[]): Partial<NewMessage> =>
  Object.fromEntries(columns.map((column) => [column, message[column] ?? undefined]));

/** Without what is null, and with `own` of what others may have in common: JSON is most of what a change of thousands of packages takes here. */
const asNewRow = (message: NewMessage, own: CommonColumn[]) => ({
  id: message.id,
  channel: message.channel,
  event_id: message.event_id,
  parameters: message.parameters,
  package_id: message.package_id ?? undefined,
  tracking_id: message.tracking_id ?? undefined,
  incident_number: message.incident_number ?? undefined,
  user_id: message.user_id ?? undefined,
  address: message.address ?? undefined,
  reason: message.reason ?? undefined,
  is_fallback: message.is_fallback || undefined,
  digest_id: message.digest_id ?? undefined,
  ...(own.length > 0 && pick(message, own)),
});

/** A message whose attempt this process has begun. */
export interface ClaimedMessage {
  id: string;
  at: Date;
  lease: string;
  type: string;
  kind: NotificationKind | null;
  audience: string;
  parameters: object;
  package_id: string | null;
  tracking_id: string | null;
  incident_number: number | null;
  user_id: string | null;
  role: string | null;
  address: string | null;
  language: string;
  ends_at: Date;
  is_fallback: boolean;
  /** Including this one. */
  attempts: number;
  quiet_hours: QuietHours | null;
  enabled: boolean | null;
}

/**
 * Begins the attempts of messages that are due, those that were held included. Nobody else makes one before `leaseSeconds` have passed:
 * if the process dies before it has stored the outcome, the message is sent again with the same id.
 *
 * What the planner does not know, values and how many are found, keeps the plan: to plan for all months took ten times as long as the rest.
 */
export const claimMessages = (
  db: Queryable,
  channel: SlowChannel,
  now: Date,
  limit: number,
  { lease, leaseSeconds }: { lease: string; leaseSeconds: number },
): Promise<ClaimedMessage[]> =>
  db.query<ClaimedMessage>(
    `with due as (
       select id, at from messages
       where channel = (select $1::text) and due_at <= (select $2::timestamptz) and (leased_until is null or leased_until < now())
       order by due_at limit (select $3::integer) for update skip locked
     ), claimed as (
       update messages m set lease = $4, leased_until = now() + make_interval(secs => $5), attempts = attempts + 1, updated_at = now()
       from unnest(array(select id from due), array(select at from due)) as found (id, at) where m.id = found.id and m.at = found.at
       returning m.*
     )
     select c.id, c.at, $4::uuid as lease, c.type, c.kind, c.audience, c.parameters, c.package_id, c.tracking_id, c.incident_number, c.user_id,
       u.role, c.address, c.language, c.ends_at, c.is_fallback, c.attempts, u.quiet_hours, p.enabled
     from claimed c left join users u on u.id = c.user_id
     left join notification_preferences p on p.user_id = c.user_id and p.channel = c.channel and p.kind = c.kind`,
    [channel, now, limit, lease, leaseSeconds],
  );

/** Of the messages that a digest carries, by their ids. */
export interface DigestOutcome {
  sent: string[];
  /** Not true any more, or not wanted. */
  late: string[];
}

/** Locks the digest of an account that waits for its time, if there is one. */
export async function lockWaitingDigest(tx: Tx, userId: string, now: Date): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `select id from messages where user_id = $1 and type = 'digest' and at > $2::timestamptz - interval '3 days' and due_at > $2 and lease is null
     order by due_at limit 1 for update`,
    [userId, now],
  );
  return row?.id ?? null;
}

/** Locks a message that waits for a time to come, so that it is not sent before the transaction ends. @returns whether it does */
export async function lockWaiting(tx: Tx, { id, at }: { id: string; at: Date }, now: Date): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(
    'select id from messages where id = $1 and at = $2 and due_at > $3 and lease is null for update',
    [id, at, now],
  );
  return rows.length > 0;
}

/** Stores what became of the messages that a digest carries. */
export async function finishCarried(
  tx: Tx,
  { user_id: userId, at }: { user_id: string | null; at: Date },
  { sent, late }: DigestOutcome,
): Promise<void> {
  await tx.query(
    `update messages set state = case when id = any($3::uuid[]) then 'sent' else 'suppressed' end, reason = case when id = any($3::uuid[]) then null else 'late' end,
       updated_at = now()
     where user_id = $1 and at > $2::timestamptz - interval '7 days' and (id = any($3::uuid[]) or id = any($4::uuid[])) and state in ('queued', 'held')`,
    [userId, at, sent, late],
  );
}

/** The digests of an account that wait go out at another time. */
export async function moveDigests(tx: Tx, userId: string, to: Date): Promise<void> {
  await tx.query(
    `update messages set due_at = $2, updated_at = now()
     where user_id = $1 and type = 'digest' and due_at is not null and lease is null`,
    [userId, to],
  );
}

/** What became of an attempt. */
export interface Outcome {
  state: MessageState;
  reason?: SuppressionReason;
  error?: string;
  /** The time of the next attempt. */
  dueAt?: Date;
  /** What was sent. */
  content?: object;
  /** Where it was sent, which a recipient may have changed since it was queued. */
  address?: string | null;
  /** An address that does not work. */
  bounced?: string;
  /** Of a digest: what became of what it carries. */
  carried?: DigestOutcome;
  /** It did not come to an attempt. */
  isNoAttempt?: boolean;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  message: ClaimedMessage;
  outcome: Outcome;
}

/**
 * Stores the outcomes, but for those whose lease has passed to another attempt. A receipt of the provider that came during the attempt knows
 * better: its state stays.
 */
export async function finishMessages(db: Queryable, ended: EndedAttempt[]): Promise<void> {
  await db.query(
    `update messages m set state = case when m.state in ('delivered', 'failed') then m.state else o.state end, reason = o.reason,
       error = case when m.state in ('delivered', 'failed') then m.error
         else coalesce(left(o.error, 500), case when o.state in ('sent', 'delivered') then null else m.error end) end,
       due_at = case when m.state in ('delivered', 'failed') then null else o.due_at end, content = coalesce(o.content, m.content),
       address = coalesce(o.address, m.address), attempts = m.attempts - o.uncounted, lease = null, leased_until = null, updated_at = now()
     from json_to_recordset($1) as o (id uuid, at timestamptz, lease uuid, state text, reason text, error text, due_at timestamptz, content jsonb,
       address text, uncounted integer)
     where m.id = o.id and m.at = o.at and m.lease = o.lease`,
    [JSON.stringify(ended.map(asRow))],
  );
}

const asRow = ({ message: { id, at, lease }, outcome }: EndedAttempt) => ({
  id,
  at,
  lease,
  state: outcome.state,
  reason: outcome.reason,
  // A character that PostgreSQL cannot store would keep the outcomes of all from being stored.
  error: outcome.error?.replaceAll('\0', '').toWellFormed(),
  due_at: outcome.dueAt,
  content: outcome.content,
  address: outcome.address,
  uncounted: outcome.isNoAttempt ? 1 : 0,
});

/**
 * Stores what the provider says became of a message, if it was sent or may have been. Ahead of the outcome of an attempt under way.
 *
 * @returns null if nothing changed; else whose screens have to know
 */
export async function applyReceipt(
  tx: Tx,
  { id, at }: { id: string; at: Date },
  { state, reason }: { state: 'delivered' | 'failed'; reason: string | null },
): Promise<{ told_user_id: string | null } | null> {
  const [changed] = await tx.query<{ told_user_id: string | null }>(
    `update messages m set state = $3, error = case when $3 = 'failed' then left($4, 500) end, due_at = null, updated_at = now()
     where id = $1 and at = $2 and attempts > 0 and (state in ('queued', 'sent') or (state = 'failed' and $3 = 'delivered'))
     returning coalesce(m.user_id, (select p.owner_id from packages p where p.id = m.package_id)) as told_user_id`,
    [id, at, state, reason],
  );
  return changed ?? null;
}

/** Whom a message was for. @returns null if it went by another channel */
export async function findReceiver(
  tx: Tx,
  channel: SlowChannel,
  { id, at }: { id: string; at: Date },
): Promise<{ address: string | null; audience: string; package_id: string | null; user_id: string | null } | null> {
  const [row] = await tx.query<{
    address: string | null;
    audience: string;
    package_id: string | null;
    user_id: string | null;
  }>(`select address, audience, package_id, user_id from messages where id = $1 and at = $2 and channel = $3`, [
    id,
    at,
    channel,
  ]);
  return row ?? null;
}

/** Marks what waits as held: nothing sends it while no transport is set up. */
export async function holdMessages(db: Queryable, channel: SlowChannel): Promise<void> {
  await db.query("update messages set state = 'held' where channel = $1 and due_at is not null and state = 'queued'", [
    channel,
  ]);
}

interface RequeuedMessage {
  state: MessageState;
  type: string;
  channel: SlowChannel;
  address: string | null;
  reason: SuppressionReason | null;
  isQueued: boolean;
}

/**
 * Queues a message again that failed, or was not sent as its address does not work. Concurrent calls see one another.
 * @returns null if there is no such message; else its state before
 */
export async function requeueMessage(tx: Tx, id: string, now: Date): Promise<RequeuedMessage | null> {
  const [row] = await tx.query<Omit<RequeuedMessage, 'isQueued'>>(
    'select state, type, channel, address, reason from messages where id = $1 for update',
    [id],
  );
  if (!row) return null;
  const isQueued = row.state === 'failed' || row.reason === 'bounced';
  if (isQueued)
    await tx.query(
      "update messages set state = 'queued', due_at = $2, error = null, reason = null, updated_at = now() where id = $1",
      [id, now],
    );
  return { ...row, isQueued };
}
