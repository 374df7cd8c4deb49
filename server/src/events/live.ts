import { isDeepStrictEqual } from 'node:util';
import { live, ruleOf, type CloseReason, type Organisation } from '@waybill/contract';
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

/** The stream of signed-in screens: sends invalidations only to users who may see the object; screens refetch through guarded endpoints. */
export function liveHttp(app: FastifyInstance, ctx: Ctx, readOrganisation: () => Promise<Organisation>) {
  const byUser = new Map<string, Set<Listener>>();
  const invalidations = openInvalidations();
  app.addHook('onClose', (_app, done) => {
    invalidations.close();
    done();
  });

  ctx.feed.onRestart(() => invalidations.forget());

  const listenersOf = (userId: string | null) => byUser.get(userId ?? '') ?? new Set<Listener>();

  ctx.feed.subscribe((events) => {
    invalidations.publish(events);
    const changed = new Set<string | null>();
    for (const { type, user_id: userId, session_id: sessionId } of events) {
      const closes = ruleOf(type)?.closes;
      if (closes === 'account') changed.add(userId);
      if (closes !== 'session') continue;
      for (const { actor, stream } of listenersOf(userId))
        if (actor.sessionId === sessionId) stream.bye('session_ended');
    }
    if ([...changed].some((id) => listenersOf(id).size > 0)) void closeChanged(changed);
  });

  /** Closes the streams of changed accounts: for good if no longer active, else to reconnect with the current permissions. */
  const closeChanged = async (changed: Set<string | null>) => {
    const ids = [...changed];
    const active = await ctx.db
      .query<{ id: string }>("select id from users where id = any($1) and status = 'active'", [ids])
      .then((rows) => new Set(rows.map((row) => row.id)))
      .catch(() => new Set<string>());
    for (const id of changed) {
      for (const { actor, stream } of listenersOf(id)) stream.bye(active.has(actor.id) ? 'drain' : 'not_active');
    }
  };

  /** Why the stream must close because the caller has changed since authentication, or null. */
  const closeReason = async (actor: Actor): Promise<CloseReason | null> => {
    const now = await ctx.sessions.findById(actor.sessionId);
    if (!now) return 'session_ended';
    if (now.status !== 'active') return 'not_active';
    return isDeepStrictEqual(now, actor) ? null : 'drain';
  };

  bind(app, ctx, live, {
    stream: async (_ctx, { actor, query }, reply) => {
      const occupy = await acquireStreamSlot('user', actor.id, ctx.config.RATE_LIMITS !== null);
      const stream = openStream(reply);
      occupy(stream);
      const listener = { actor, stream };
      const ofUser = byUser.get(actor.id) ?? new Set();
      byUser.set(actor.id, ofUser.add(listener));
      const unsubscribe = invalidations.subscribe(actor, (hint) => stream.send('hint', JSON.stringify(hint)));
      stream.onClose(() => {
        unsubscribe();
        ofUser.delete(listener);
        if (ofUser.size === 0 && byUser.get(actor.id) === ofUser) byUser.delete(actor.id);
      });
      // Changes between authentication and the subscription above were not published to this stream: check once more.
      const reason = await closeReason(actor).catch(() => 'drain' as const);
      if (reason) return stream.bye(reason);
      const organisation = await readOrganisation();
      const missed = query.missedMs === undefined ? null : invalidations.missed(actor, query.missedMs);
      stream.send('hello', JSON.stringify({ organisation, resumed: missed !== null }));
      for (const hint of missed ?? []) stream.send('hint', JSON.stringify(hint));
    },
  });
}
