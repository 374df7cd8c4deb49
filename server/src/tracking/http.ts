import { tracking } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import type { Pool } from '../platform/db.ts';
import { bind, JsonText } from '../platform/http.ts';
import { openPublicLive } from './live.ts';
import { openPublicLookup, trackPackage } from './service.ts';

export function trackingHttp(app: FastifyInstance, ctx: Ctx, lookupPool: Pool) {
  const lookup = openPublicLookup(lookupPool, ctx.config, ctx.now);
  const live = openPublicLive(ctx, lookup);
  bind(app, ctx, tracking, {
    view: async (ctx, { params, request }) => new JsonText(await trackPackage(ctx, lookup, params.id, request.ip)),
    live: (_ctx, { params, request }, reply) => live.follow(params.id, request.ip, reply),
  });
}
