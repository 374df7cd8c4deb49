import { contact } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { listMessages, moveMessage, sendMessage } from './service.ts';

export function contactHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, contact, {
    send: (ctx, { body, request }) => sendMessage(ctx, body, request.ip),
    list: (ctx, { query }) => listMessages(ctx, query),
    move: (ctx, { actor, params, body }) => moveMessage(ctx, actor, params.id, body.status),
  });
}
