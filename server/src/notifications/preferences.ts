import {
  byChannel,
  carries,
  channelNames,
  channels,
  essentialKinds,
  isOnByDefault,
  kindsFor,
  notificationKinds,
  recipientKinds,
  type Channel,
  type Digest,
  type NotificationKind,
  type NotificationPreferences,
  type NotificationPreferencesInput,
  type QuietHours,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { nextTimeOfDay } from './delivery-rules.ts';
import { moveDigests } from './message-queries.ts';
import { isSubscribed } from './push.ts';

/** By channel, each kind that the caller can be notified of. Without a row a kind is on where the channel delivers it by default. */
export async function readPreferences(
  { pushKeys }: Pick<Ctx, 'pushKeys'>,
  db: Queryable,
  actor: Actor,
): Promise<NotificationPreferences> {
  const rows = await db.query<{ channel: Channel | 'recipient'; kind: NotificationKind; enabled: boolean }>(
    'select channel, kind, enabled from notification_preferences where user_id = $1',
    [actor.id],
  );
  const [user] = await db.query<{ quiet_hours: QuietHours | null; digest: Digest | null }>(
    'select quiet_hours, digest from users where id = $1',
    [actor.id],
  );
  const lists = byChannel((channel) => {
    const chosen = new Map(rows.filter((row) => row.channel === channel).map(({ kind, enabled }) => [kind, enabled]));
    const kinds = kindsFor(actor).filter((kind) => carries(channel, kind));
    return kinds.map((kind) => {
      const essential = essentialKinds.includes(kind);
      return { kind, essential, on: essential || (chosen.get(kind) ?? isOnByDefault(channel, kind)) };
    });
  });
  const toldRecipients = new Map(
    rows.filter(({ channel }) => channel === 'recipient').map(({ kind, enabled }) => [kind, enabled]),
  );
  return {
    ...lists,
    recipient: mayChoose(actor)
      ? recipientKinds.map((kind) => ({ kind, essential: false, on: toldRecipients.get(kind) ?? true }))
      : [],
    quietHours: user?.quiet_hours ?? null,
    digest: user?.digest ?? null,
    pushKey: pushKeys.publicKey,
    isPushed: await isSubscribed(db, actor),
  };
}

/** @param language of the request: messages to the user are written in it from now on */
export async function setPreferences(
  ctx: Ctx,
  actor: Actor,
  input: NotificationPreferencesInput,
  language: string,
): Promise<NotificationPreferences> {
  const changes = changesOf(actor, input);
  const { quietHours, digest } = input;
  return ctx.db.transaction(async (tx) => {
    await tx.query(
      `insert into notification_preferences (user_id, channel, kind, enabled)
       select $1, channel, kind, enabled from unnest($2::text[], $3::text[], $4::boolean[]) as chosen (channel, kind, enabled)
       order by channel, kind
       on conflict (user_id, channel, kind) do update set enabled = excluded.enabled`,
      [actor.id, changes.map(({ channel }) => channel), changes.map(({ kind }) => kind), changes.map(({ on }) => on)],
    );
    await tx.query(
      `update users set language = $2, quiet_hours = case when $3 then $4::jsonb else quiet_hours end,
         digest = case when $5 then $6::jsonb else digest end where id = $1`,
      [
        actor.id,
        language,
        quietHours !== undefined,
        quietHours ? JSON.stringify(quietHours) : null,
        digest !== undefined,
        digest ? JSON.stringify(digest) : null,
      ],
    );
    // What has been gathered comes at the new time, or at once.
    if (digest !== undefined) {
      const now = ctx.now();
      await moveDigests(tx, actor.id, digest ? nextTimeOfDay(digest, now) : now);
    }
    return readPreferences(ctx, tx, actor);
  });
}

/** Whoever can have packages. */
const mayChoose = ({ permissions }: Actor): boolean => permissions.includes('packages.create');

interface Change {
  /** `recipient`: what the recipients of the user's packages are told. */
  channel: Channel | 'recipient';
  kind: NotificationKind;
  on: boolean;
}

/** One change for each channel and kind; the last one wins. @throws `invalid` if an essential kind is turned off */
function changesOf(actor: Actor, input: NotificationPreferencesInput): Change[] {
  const changes = new Map<string, Change>();
  const add = (change: Change & { channel: Channel }, field: string) => {
    if (!carries(change.channel, change.kind)) return;
    if (!change.on && essentialKinds.includes(change.kind)) throw invalid({ [field]: 'This cannot be turned off' });
    changes.set(`${change.channel} ${change.kind}`, change);
  };
  for (const kind of notificationKinds) {
    const on = input[kind];
    if (!on) continue;
    for (const channel of channelNames) {
      // Clients that do not know of it turn nothing off.
      if (channel === 'push' && essentialKinds.includes(kind)) continue;
      add({ channel, kind, on: on.includes(channel) }, kind);
    }
  }
  for (const channel of channelNames) {
    const field = channels[channel].preferences;
    (input[field] ?? []).forEach(({ kind, on }, index) => add({ channel, kind, on }, `${field}.${index}.on`));
  }
  for (const { kind, on } of mayChoose(actor) ? (input.recipient ?? []) : [])
    if (recipientKinds.includes(kind)) changes.set(`recipient ${kind}`, { channel: 'recipient', kind, on });
  return [...changes.values()];
}
