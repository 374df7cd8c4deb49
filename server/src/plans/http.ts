import { plans } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { applyPlan, changePlan, createPlan, readPlan, removePlan } from './service.ts';

export const plansHttp = (app: FastifyInstance, ctx: Ctx) =>
  bind(app, ctx, plans, {
    create: (ctx, { actor, body }) => createPlan(ctx, actor, body),
    read: (ctx, { actor, params }) => readPlan(ctx, actor, params.id),
    change: (ctx, { actor, params, body }) => changePlan(ctx, actor, params.id, body),
    apply: (ctx, { actor, params }) => applyPlan(ctx, actor, params.id),
    remove: (ctx, { params }) => removePlan(ctx, params.id),
  });
