import { isDeepStrictEqual } from 'node:util';
import { live, ruleOf, type CloseReason } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { openStream, type Stream } from '../platform/live/sse.ts';
import { acquireStreamSlot } from '../platform/live/stream-limits.ts';
import { openInvalidations } from './invalidations.ts';

interface Listener {
  actor: Actor;
  stream: Stream;
}

/** The stream of the signed-in screens: hints of what changed, each only to whom it concerns; content comes by the guarded endpoints. */
export function liveHttp(app: FastifyInstance, ctx: Ctx) {
  const byUser = new Map<string, Set<Listener>>();
  const hints = openInvalidations();
  app.addHook('onClose', (_app, done) => {
    hints.close();
    done();
  });

  const listenersOf = (userId: string | null) => byUser.get(userId ?? '') ?? new Set<Listener>();

  ctx.feed.subscribe((events) => {
    hints.tell(events);
    const changed = new Set<string | null>();
    for (const { type, user_id: userId, session_id: sessionId } of events) {
      const closes = ruleOf(type)?.closes;
      if (closes === 'account') changed.add(userId);
      if (closes !== 'session') continue;
      for (const { actor, stream } of listenersOf(userId))
        if (actor.sessionId === sessionId) stream.bye('session_ended');
    }
    if ([...changed].some((id) => listenersOf(id).size > 0)) void dropChanged(changed);
  });

  /** Whoever lost the account's rights loses the stream; whoever only changed opens it again with the new ones. */
  const dropChanged = async (changed: Set<string | null>) => {
    const ids = [...changed];
    const active = await ctx.db
      .query<{ id: string }>("select id from users where id = any($1) and status = 'active'", [ids])
      .then((rows) => new Set(rows.map((row) => row.id)))
      .catch(() => new Set<string>());
    for (const id of changed) {
      for (const { actor, stream } of listenersOf(id)) stream.bye(active.has(actor.id) ? 'drain' : 'not_active');
    }
  };

  /** How a caller has changed since the token was checked, or null. */
  const reasonToEnd = async (actor: Actor): Promise<CloseReason | null> => {
    const now = await ctx.sessions.findById(actor.sessionId);
    if (!now) return 'session_ended';
    if (now.status !== 'active') return 'not_active';
    return isDeepStrictEqual(now, actor) ? null : 'drain';
  };

  bind(app, ctx, live, {
    stream: async (_ctx, { actor }, reply) => {
      const give = await acquireStreamSlot('user', actor.id, ctx.config.RATE_LIMITS !== null);
      const stream = openStream(reply);
      give(stream);
      const listener = { actor, stream };
      const ofUser = byUser.get(actor.id) ?? new Set();
      byUser.set(actor.id, ofUser.add(listener));
      const leave = hints.add(actor, (hint) => stream.send('hint', JSON.stringify(hint)));
      stream.onClose(() => {
        leave();
        ofUser.delete(listener);
        if (ofUser.size === 0 && byUser.get(actor.id) === ofUser) byUser.delete(actor.id);
      });
      // What happened between the check of the token and this line was told to nobody.
      const end = await reasonToEnd(actor).catch(() => 'drain' as const);
      if (end) stream.bye(end);
      else stream.send('hello', '{}');
    },
  });
}
