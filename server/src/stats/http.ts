import { stats } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { listFigureRows } from './figure-rows.ts';
import { readPerformance, readStats } from './service.ts';

export function statsHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, stats, {
    read: (ctx, { query }) => readStats(ctx, query),
    performance: (ctx, { query }) => readPerformance(ctx, query),
    rows: (ctx, { actor, query }) => listFigureRows(ctx, actor, query),
  });
}
