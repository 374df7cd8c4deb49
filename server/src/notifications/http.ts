import { notifications, templates } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { linkOrigin } from '../platform/origin/link-origin.ts';
import { languageOf, textsFor } from '../platform/languages.ts';
import { readPreferences, setPreferences } from './preferences.ts';
import { subscribe, unsubscribe } from './push.ts';
import { exportSent, listSent, readSent, retryNotification } from './sent.ts';
import { listOwnNotifications, readAllNotifications, readNotification } from './service.ts';
import { listTemplates, previewTemplate, readTemplate, resetTemplate, sendTest, updateTemplate } from './templates.ts';

export function notificationsHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, notifications, {
    list: (ctx, { actor, query, request }) => listOwnNotifications(ctx, actor, query, textsFor(request)),
    read: (ctx, { actor, params, request }) => readNotification(ctx, actor, params.id, textsFor(request)),
    readAll: (ctx, { actor }) => readAllNotifications(ctx, actor),
    preferences: (ctx, { actor }) => readPreferences(ctx, ctx.db, actor),
    setPreferences: (ctx, { actor, body, request }) => setPreferences(ctx, actor, body, languageOf(request)),
    subscribe: (ctx, { actor, body }) => subscribe(ctx, actor, body),
    unsubscribe: (ctx, { actor }) => unsubscribe(ctx.db, actor),
    sent: (ctx, { actor, query }) => listSent(ctx, actor, query),
    exportSent: (ctx, { actor, query }) => exportSent(ctx, actor, query),
    sentMessage: (ctx, { actor, params, request }) =>
      readSent(ctx, actor, params.id, textsFor(request), linkOrigin(ctx.config, request)),
    retry: (ctx, { actor, params }) => retryNotification(ctx, actor, params.id),
  });
  bind(app, ctx, templates, {
    list: (ctx) => listTemplates(ctx),
    read: (ctx, { params }) => readTemplate(ctx, params.kind, params.language),
    update: (ctx, { actor, params, body, request }) =>
      updateTemplate(ctx, actor, params, body, request.headers['if-match'] ?? null),
    remove: (ctx, { actor, params }) => resetTemplate(ctx, actor, params),
    preview: (ctx, { actor, params, body }) => previewTemplate(ctx, actor, params, body),
    test: (ctx, { actor, params, body }) => sendTest(ctx, actor, params, body),
  });
}
