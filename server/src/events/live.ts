import { isDeepStrictEqual } from 'node:util';
import { live, type ByeReason, type LiveHint } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http.ts';
import { findActorOfSession, type Actor } from '../platform/sessions.ts';
import { openStream, type Stream } from '../platform/sse.ts';
import { takeStreamPlace } from '../platform/stream-counts.ts';
import type { FedEvent } from './feed.ts';

interface Listener {
  actor: Actor;
  stream: Stream;
}

/** The stream of the signed-in screens: hints of what changed, each only to whom it concerns; content comes by the guarded endpoints. */
export function liveHttp(app: FastifyInstance, ctx: Ctx) {
  const listeners = new Set<Listener>();

  ctx.feed.subscribe((events) => {
    for (const { actor, stream } of listeners) {
      const hints = new Map<string, LiveHint>();
      for (const event of events) {
        for (const hint of hintsFor(actor, event)) hints.set(JSON.stringify(hint), hint);
      }
      for (const hint of few([...hints.values()])) stream.send('hint', JSON.stringify(hint));
      for (const event of events) {
        if (event.type === 'session.ended' && event.session_id === actor.sessionId) stream.bye('session_ended');
      }
    }
    const changed = new Set(events.filter((event) => event.type === 'user.changed').map((event) => event.user_id));
    if ([...listeners].some(({ actor }) => changed.has(actor.id))) void dropChanged(changed);
  });

  /** Whoever lost the account's rights loses the stream; whoever only changed opens it again with the new ones. */
  const dropChanged = async (changed: Set<string | null>) => {
    const ids = [...changed];
    const active = await ctx.db
      .query<{ id: string }>("select id from users where id = any($1) and status = 'active'", [ids])
      .then((rows) => new Set(rows.map((row) => row.id)))
      .catch(() => new Set<string>());
    for (const { actor, stream } of listeners) {
      if (changed.has(actor.id)) stream.bye(active.has(actor.id) ? 'drain' : 'not_active');
    }
  };

  /** How a caller has changed since the token was checked, or null. */
  const reasonToEnd = async (actor: Actor): Promise<ByeReason | null> => {
    const now = await findActorOfSession(ctx.db, actor.sessionId);
    if (!now) return 'session_ended';
    if (now.status !== 'active') return 'not_active';
    return isDeepStrictEqual(now, actor) ? null : 'drain';
  };

  bind(app, ctx, live, {
    stream: async (_ctx, { actor }, reply) => {
      const give = await takeStreamPlace('user', actor.id, ctx.config.RATE_LIMITS !== null);
      const stream = openStream(reply);
      give(stream);
      const listener = { actor, stream };
      listeners.add(listener);
      stream.onClose(() => listeners.delete(listener));
      // What happened between the check of the token and this line was told to nobody.
      const end = await reasonToEnd(actor).catch(() => 'drain' as const);
      if (end) stream.bye(end);
      else stream.send('hello', '{}');
    },
  });
}

/** An import changes thousands at once. Past this many of a type, one hint without an id stands for all of them. */
const mostHints = 20;

function few(hints: LiveHint[]): LiveHint[] {
  const byType = Map.groupBy(hints, (hint) => hint.type);
  return [...byType].flatMap(([type, alike]) => (alike.length > mostHints ? [{ type, id: null }] : alike));
}

/** What an event means to a listener. `deliveries` tells every driver that the list of unclaimed ones changed, not how. */
function hintsFor(actor: Actor, event: FedEvent): LiveHint[] {
  const may = (permission: Actor['permissions'][number]) => actor.permissions.includes(permission);
  const hints: LiveHint[] = [];
  if (event.package_id !== null) {
    const id = event.package_id;
    if (event.owner_id === actor.id || may('packages.view_all')) hints.push({ type: 'package', id });
    if (event.driver_id === actor.id || event.previous_driver_id === actor.id || may('deliveries.view_all')) {
      hints.push({ type: 'delivery', id });
    }
    // What is said about a package changes no list of unclaimed ones.
    const isSaid = event.incident_number !== null || event.type === 'package.rated';
    if (!isSaid && (may('deliveries.claim') || may('deliveries.view_all')))
      hints.push({ type: 'deliveries', id: null });
    const concerned = [event.owner_id, event.driver_id, event.reporter_id];
    if (event.incident_number !== null && (concerned.includes(actor.id) || may('admin.access')))
      hints.push({ type: 'incident', id: String(event.incident_number) });
  } else if (event.user_id !== null) {
    const own = event.user_id === actor.id;
    if (own && event.type.startsWith('notification.')) hints.push({ type: 'notification', id: null });
    if (own && event.type === 'import.progressed') hints.push({ type: 'import', id: event.import_id });
    if (event.type.startsWith('user.') && (own || may('admin.manage_users')))
      hints.push({ type: 'user', id: event.user_id });
    if (event.type.startsWith('shift.') && (own || may('deliveries.assign'))) hints.push({ type: 'shift', id: null });
  } else if (event.type.startsWith('role.') && may('roles.read')) {
    hints.push({ type: 'role', id: null });
  } else if (event.type.startsWith('message.') && may('admin.access')) {
    hints.push({ type: 'message', id: null });
  } else if (event.type === 'settings.changed') {
    hints.push({ type: 'settings', id: null });
  } else if (event.type === 'shifts.copied' && (actor.role === 'driver' || may('deliveries.assign'))) {
    hints.push({ type: 'shift', id: null });
  }
  return hints;
}
