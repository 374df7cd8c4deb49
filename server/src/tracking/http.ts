import { tracking } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind, JsonText } from '../platform/http/http.ts';
import { openPublicLive } from './live.ts';
import { sendTrackMessage, trackPackage, type PublicLookup } from './service.ts';

export function trackingHttp(app: FastifyInstance, ctx: Ctx, lookup: PublicLookup) {
  const live = openPublicLive(ctx, lookup);
  app.addHook('onClose', (_app, done) => {
    live.close();
    done();
  });
  bind(app, ctx, tracking, {
    view: async (ctx, { params, request }) => new JsonText(await trackPackage(ctx, lookup, params.id, request)),
    message: (ctx, { params, body, request }) => sendTrackMessage(ctx, lookup, params.id, body, request),
    live: (_ctx, { params, request }, reply) => live.follow(params.id, request, reply),
  });
}
