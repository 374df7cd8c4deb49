import { audit } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { listContactViews } from './contact-views.ts';
import { exportAudit } from './export.ts';
import { listAudit } from './service.ts';

export const auditHttp = (app: FastifyInstance, ctx: Ctx) =>
  bind(app, ctx, audit, {
    list: (ctx, { query }) => listAudit(ctx, query),
    exportAll: (ctx, { actor, query }) => exportAudit(ctx, actor, query),
    contactViews: (ctx, { query }) => listContactViews(ctx, query),
  });
