import { stats } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { readArrivals } from './arrivals.ts';
import { exportBreakdown, readBreakdown, readOwnFigures } from './breakdown.ts';
import { listFigureRows } from './figure-rows.ts';
import { listLatestEvents } from './latest-events.ts';
import { readNeeds } from './needs.ts';
import { readPerformance, readStats } from './service.ts';

export function statsHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, stats, {
    read: (ctx, { query }) => readStats(ctx, query),
    performance: (ctx, { query }) => readPerformance(ctx, query),
    rows: (ctx, { actor, query }) => listFigureRows(ctx, actor, query),
    arrivals: (ctx, { query }) => readArrivals(ctx, query),
    needs: (ctx, { actor }) => readNeeds(ctx, actor),
    breakdown: (ctx, { actor, query }) => readBreakdown(ctx, actor, query),
    exportBreakdown: (ctx, { actor, query }) => exportBreakdown(ctx, actor, query),
    own: (ctx, { actor, query }) => readOwnFigures(ctx, actor, query),
    latestEvents: (ctx, { actor, query }) => listLatestEvents(ctx, actor, query.limit),
  });
}
