import { depots } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { createDepot, listDepots, removeDepot, updateDepot } from './service.ts';

export const depotsHttp = (app: FastifyInstance, ctx: Ctx) =>
  bind(app, ctx, depots, {
    list: (ctx) => listDepots(ctx),
    create: (ctx, { actor, body }) => createDepot(ctx, actor, body),
    update: (ctx, { actor, params, body, request }) =>
      updateDepot(ctx, actor, params.id, body, request.headers['if-match'] ?? null),
    remove: (ctx, { actor, params }) => removeDepot(ctx, actor, params.id),
  });
