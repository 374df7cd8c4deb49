import { incidents } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { exportIncidents } from './export.ts';
import { listAccessibleIncidents, moveIncident, readIncident, reportOnDelivery, reportOnPackage } from './service.ts';

export function incidentsHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, incidents, {
    reportOnPackage: (ctx, { actor, params, body }) => reportOnPackage(ctx, actor, params.id, body),
    reportOnDelivery: (ctx, { actor, params, body }) => reportOnDelivery(ctx, actor, params.id, body),
    list: (ctx, { actor, query }) => listAccessibleIncidents(ctx, actor, query),
    exportReachable: (ctx, { actor, query }) => exportIncidents(ctx, actor, query),
    read: (ctx, { actor, params }) => readIncident(ctx, actor, params.id),
    move: (ctx, { actor, params, body }) => moveIncident(ctx, actor, params.id, body),
  });
}
