import { ruleOf } from '@waybill/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { openStream, type Stream } from '../platform/live/sse.ts';
import { acquireStreamSlot } from '../platform/live/stream-limits.ts';
import { asTrackingId, trackPackage, type PublicLookup } from './service.ts';

export interface PublicLive {
  /** Streams a package's public view: at once, and at every change. The whole view each time, so a reader needs no past. */
  follow(trackingId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

interface Follower {
  stream: Stream;
  /** The view that was sent last. */
  told: string;
}

export function openPublicLive(ctx: Ctx, lookup: PublicLookup): PublicLive {
  const followers = new Map<string, Set<Follower>>();

  ctx.feed.subscribe((events) => {
    const changed = new Set(events.map((event) => event.tracking_id).filter((id) => id !== null && followers.has(id)));
    for (const id of changed) if (id) void tell(id);
    // Perhaps how much of a recipient is shown.
    if (events.some(({ type }) => ruleOf(type)?.clears?.includes('public views')))
      for (const id of followers.keys()) void tell(id);
  });

  // One reading of an ID at a time: of two under way the older might come back last, and would stay.
  const telling = new Map<string, { again: boolean }>();
  const tell = async (id: string) => {
    const underWay = telling.get(id);
    if (underWay) {
      underWay.again = true;
      return;
    }
    const turn = { again: true };
    telling.set(id, turn);
    while (turn.again) {
      turn.again = false;
      await tellOnce(id);
    }
    telling.delete(id);
  };

  const tellOnce = async (id: string) => {
    try {
      const view = await lookup.find(id);
      if (view !== null) followers.get(id)?.forEach((follower) => send(follower, view));
    } catch {
      // Who missed a change must not stay behind: cut off, they come back and read the present state.
      followers.get(id)?.forEach(({ stream }) => stream.bye('drain'));
    }
  };

  const send = (follower: Follower, view: string) => {
    if (view === follower.told) return;
    follower.told = view;
    follower.stream.send('view', view);
  };

  return {
    async follow(given, request, reply) {
      const first = await trackPackage(ctx, lookup, given, request);
      const id = asTrackingId(given);
      const give = await acquireStreamSlot('address', networkOf(request.ip), ctx.config.RATE_LIMITS !== null);
      const stream = openStream(reply);
      give(stream);
      const follower = { stream, told: first };
      const following = followers.get(id) ?? new Set();
      followers.set(id, following.add(follower));
      stream.onClose(() => {
        following.delete(follower);
        if (following.size === 0) followers.delete(id);
      });
      stream.send('view', first);
      // Between the reading and the subscription something may have happened: read once more, unless it was told by now.
      try {
        const now = await lookup.find(id);
        if (now !== null && follower.told === first) send(follower, now);
      } catch {
        stream.bye('drain');
      }
    },
  };
}
