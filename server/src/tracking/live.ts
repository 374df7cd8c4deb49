import { ruleOf } from '@waybill/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { openStream, type Stream } from '../platform/live/sse.ts';
import { acquireStreamSlot } from '../platform/live/stream-limits.ts';
import { openTurns } from '../platform/live/turns.ts';
import { isNextStop, showsPosition } from '../packages/public-view.ts';
import { asTrackingId, trackPackage, type PublicLookup } from './service.ts';

export interface PublicLive {
  /** Streams a package's public view: once on connect, then on every change. Always the whole view, so there is nothing to replay. */
  follow(trackingId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  close(): void;
}

interface Follower {
  stream: Stream;
  /** The view that was sent last. */
  lastView: string;
}

interface Following {
  streams: Set<Follower>;
  /** Ends the looks at the position. */
  stopLooking(): void;
}

/** How often the positions of drivers are looked at: trackers get one a second at most. */
const positionEveryMs = 1000;
/** Shares of the followed packages that are looked at together: each is a lookup. */
const lookTurns = 10;
/** Where no position is known yet, every so many times. */
const patience = 5;

export function openPublicLive(ctx: Ctx, lookup: PublicLookup): PublicLive {
  const followers = new Map<string, Following>();

  // Positions are no events, which would be a row in the outbox for each batch of each driver: whoever follows a next stop looks.
  const looks = openTurns(positionEveryMs, lookTurns);
  const startFollowing = (id: string): Following => {
    const streams = new Set<Follower>();
    // Not all in the same second.
    let times = followers.size;
    const stopLooking = looks.add(() => {
      times++;
      const [{ lastView } = { lastView: '' }] = streams;
      if (isNextStop(lastView) && (showsPosition(lastView) || times % patience === 0)) void refresh(id);
    });
    const following = { streams, stopLooking };
    followers.set(id, following);
    return following;
  };

  ctx.feed.subscribe((events) => {
    const changed = new Set(events.map((event) => event.tracking_id).filter((id) => id !== null && followers.has(id)));
    for (const id of changed) if (id) void refresh(id);
    // Not in the view: the recipient's part fetches it. Others learn nothing from it.
    for (const { type, tracking_id: id } of events)
      if (type === 'package.change-acknowledged' && id !== null)
        followers.get(id)?.streams.forEach(({ stream }) => stream.send('recipient', '{}'));
    // A changed setting may affect every view, e.g. how much of the recipient is shown.
    if (events.some(({ type }) => ruleOf(type)?.clears?.includes('public views')))
      for (const id of followers.keys()) void refresh(id);
  });

  // One read per ID at a time, with changes meanwhile coalesced: of two concurrent reads the older could finish last and overwrite the newer.
  const refreshing = new Map<string, { again: boolean }>();
  const refresh = async (id: string) => {
    const inFlight = refreshing.get(id);
    if (inFlight) {
      inFlight.again = true;
      return;
    }
    const state = { again: true };
    refreshing.set(id, state);
    while (state.again) {
      state.again = false;
      await refreshOnce(id);
    }
    refreshing.delete(id);
  };

  const refreshOnce = async (id: string) => {
    try {
      const view = await lookup.find(id);
      if (view !== null) followers.get(id)?.streams.forEach((follower) => send(follower, view));
    } catch {
      // Followers that missed a change must not go stale: end their streams, so that they reconnect and read the present state.
      followers.get(id)?.streams.forEach(({ stream }) => stream.bye('drain'));
    }
  };

  const send = (follower: Follower, view: string) => {
    if (view === follower.lastView) return;
    follower.lastView = view;
    follower.stream.send('view', view);
  };

  return {
    close: () => looks.close(),
    async follow(given, request, reply) {
      const first = await trackPackage(ctx, lookup, given, request);
      const id = asTrackingId(given);
      const bindSlot = await acquireStreamSlot('address', networkOf(request.ip), ctx.config.RATE_LIMITS !== null);
      const stream = openStream(reply);
      bindSlot(stream);
      const follower = { stream, lastView: first };
      const following = followers.get(id) ?? startFollowing(id);
      following.streams.add(follower);
      stream.onClose(() => {
        following.streams.delete(follower);
        if (following.streams.size > 0) return;
        following.stopLooking();
        followers.delete(id);
      });
      stream.send('view', first);
      // Close the race between the first read and the subscription: read again, unless a newer view was sent already.
      try {
        const now = await lookup.find(id);
        if (now !== null && follower.lastView === first) send(follower, now);
      } catch {
        stream.bye('drain');
      }
    },
  };
}
