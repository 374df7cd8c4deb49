import {
  byChannel,
  channelNames,
  channels,
  essentialKinds,
  kindsFor,
  type Channel,
  type NotificationKind,
  type NotificationPreferences,
  type NotificationPreferencesInput,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';

/** By channel, each kind that the caller can be notified of. A kind without a row is on. */
export async function readPreferences(db: Queryable, actor: Actor): Promise<NotificationPreferences> {
  const rows = await db.query<{ channel: Channel; kind: NotificationKind }>(
    'select channel, kind from notification_preferences where user_id = $1 and not enabled',
    [actor.id],
  );
  return byChannel((channel) => {
    const off = new Set(rows.filter((row) => row.channel === channel).map(({ kind }) => kind));
    return kindsFor(actor).map((kind) => {
      const essential = essentialKinds.includes(kind);
      return { kind, essential, on: essential || !off.has(kind) };
    });
  });
}

export async function setPreferences(
  ctx: Ctx,
  actor: Actor,
  input: NotificationPreferencesInput,
): Promise<NotificationPreferences> {
  const changes = channelNames.flatMap((channel) => changesOf(channel, input));
  return ctx.db.transaction(async (tx) => {
    await tx.query(
      `insert into notification_preferences (user_id, channel, kind, enabled)
       select $1, channel, kind, enabled from unnest($2::text[], $3::text[], $4::boolean[]) as chosen (channel, kind, enabled)
       order by channel, kind
       on conflict (user_id, channel, kind) do update set enabled = excluded.enabled`,
      [actor.id, changes.map(({ channel }) => channel), changes.map(({ kind }) => kind), changes.map(({ on }) => on)],
    );
    return readPreferences(tx, actor);
  });
}

/** Deduplicates by kind; the last change wins. @throws `invalid` if an essential kind is turned off */
function changesOf(channel: Channel, input: Partial<NotificationPreferencesInput>) {
  const field = channels[channel].preferences;
  const choices = input[field] ?? [];
  const refused = choices.findIndex(({ kind, on }) => !on && essentialKinds.includes(kind));
  if (refused >= 0) throw invalid({ [`${field}.${refused}.on`]: 'This cannot be turned off' });
  return [...new Map(choices.map(({ kind, on }) => [kind, on]))].map(([kind, on]) => ({ channel, kind, on }));
}
