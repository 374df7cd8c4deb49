import type { FastifyReply } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { openStream, type Stream } from '../platform/sse.ts';
import { takeStreamPlace } from '../platform/stream-counts.ts';
import type { Lookup } from './queries.ts';
import { asTrackingId, trackPackage } from './service.ts';

export interface PublicLive {
  /** Streams a package's public view: at once, and at every change. The whole view each time, so a reader needs no past. */
  follow(trackingId: string, address: string, reply: FastifyReply): Promise<void>;
}

export function openPublicLive(ctx: Ctx, lookup: Lookup): PublicLive {
  const followers = new Map<string, Set<Stream>>();

  ctx.feed.subscribe((events) => {
    const changed = new Set(events.map((event) => event.tracking_id).filter((id) => id !== null && followers.has(id)));
    for (const id of changed) if (id) void tell(id);
  });

  const tell = async (id: string) => {
    try {
      const view = await lookup.find(id);
      if (view !== null) followers.get(id)?.forEach((stream) => stream.send('view', view));
    } catch {
      // Who missed a change must not stay behind: cut off, they come back and read the present state.
      followers.get(id)?.forEach((stream) => stream.bye('drain'));
    }
  };

  return {
    async follow(given, address, reply) {
      const first = await trackPackage(ctx, lookup, given, address);
      const id = asTrackingId(given);
      const give = takeStreamPlace('address', address, ctx.config.RATE_LIMITS);
      const stream = openStream(reply);
      give(stream);
      const streams = followers.get(id) ?? new Set();
      followers.set(id, streams.add(stream));
      stream.onClose(() => {
        streams.delete(stream);
        if (streams.size === 0) followers.delete(id);
      });
      stream.send('view', first);
      // Between the reading and the subscription something may have happened: read once more.
      const now = await lookup.find(id).catch(() => null);
      if (now !== null && now !== first) stream.send('view', now);
    },
  };
}
