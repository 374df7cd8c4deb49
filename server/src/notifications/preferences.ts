import {
  essentialKinds,
  kindsFor,
  type NotificationKind,
  type NotificationPreferences,
  type NotificationPreferencesInput,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';

/** Of what the caller can be told at all. */
export async function readPreferences(db: Queryable, actor: Actor): Promise<NotificationPreferences> {
  const rows = await db.query<{ kind: NotificationKind }>(
    "select kind from notification_preferences where user_id = $1 and channel = 'in-app' and not enabled",
    [actor.id],
  );
  const off = new Set(rows.map(({ kind }) => kind));
  const inApp = kindsFor(actor).map((kind) => {
    const essential = essentialKinds.includes(kind);
    return { kind, essential, on: essential || !off.has(kind) };
  });
  return { inApp };
}

export async function setPreferences(
  ctx: Ctx,
  actor: Actor,
  { inApp }: NotificationPreferencesInput,
): Promise<NotificationPreferences> {
  const refused = inApp.findIndex(({ kind, on }) => !on && essentialKinds.includes(kind));
  if (refused >= 0) throw invalid({ [`inApp.${refused}.on`]: 'This cannot be turned off' });
  // Of a kind that is named twice the last word counts.
  const chosen = [...new Map(inApp.map(({ kind, on }) => [kind, on]))];
  return ctx.db.transaction(async (tx) => {
    await tx.query(
      `insert into notification_preferences (user_id, channel, kind, enabled)
       select $1, 'in-app', kind, enabled from unnest($2::text[], $3::boolean[]) as chosen (kind, enabled) order by kind
       on conflict (user_id, channel, kind) do update set enabled = excluded.enabled`,
      [actor.id, chosen.map(([kind]) => kind), chosen.map(([, on]) => on)],
    );
    return readPreferences(tx, actor);
  });
}
