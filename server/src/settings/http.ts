import { settings } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { organisationOf } from './effective-settings.ts';
import { readSettings, updateSettings } from './service.ts';

export const settingsHttp = (app: FastifyInstance, ctx: Ctx) =>
  bind(app, ctx, settings, {
    read: (ctx) => readSettings(ctx),
    update: (ctx, { actor, body, request }) => updateSettings(ctx, actor, body, request.headers['if-match'] ?? null),
    async organisation(ctx) {
      // A page asks once it is told of a change, maybe by another process than the one that answers, whose cache may not know of it yet.
      ctx.settings.forget();
      return organisationOf(await ctx.settings.find());
    },
  });
