import { incidents } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http.ts';
import { reportOnDelivery, reportOnPackage } from './service.ts';

export function incidentsHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, incidents, {
    reportOnPackage: (ctx, { actor, params, body }) => reportOnPackage(ctx, actor, params.id, body.issue),
    reportOnDelivery: (ctx, { actor, params, body }) => reportOnDelivery(ctx, actor, params.id, body.issue),
  });
}
