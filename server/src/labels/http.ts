import { labels } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { linkOrigin } from '../platform/origin/link-origin.ts';
import { printLabels } from './service.ts';

export function labelsHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, labels, {
    print: (ctx, { actor, body, request }) => printLabels(ctx, actor, body, linkOrigin(ctx.config, request)),
  });
}
