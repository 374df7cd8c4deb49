import { positions } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { openLiveMap } from './live-map.ts';
import { listPositions, openReports, readConsent, setConsent } from './service.ts';

export const positionsHttp = (app: FastifyInstance, ctx: Ctx) => {
  const report = openReports(ctx);
  const live = openLiveMap(ctx);
  bind(app, ctx, positions, {
    list: (ctx) => listPositions(ctx),
    live: async () => (await live()).map,
    drivers: async () => (await live()).drivers,
    stops: async () => (await live()).stops,
    report: (ctx, { actor, body }) => report(ctx, actor, body),
    consent: (ctx, { actor }) => readConsent(ctx, ctx.db, actor),
    agree: (ctx, { actor, body }) => setConsent(ctx, actor, body.agreed),
  });
};
