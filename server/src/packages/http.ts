import { packages } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind, readIdempotencyKey } from '../platform/http/http.ts';
import { changeInBulk } from './bulk.ts';
import { openCreates } from './create.ts';
import { exportPackages } from './export.ts';
import { addImage } from './images.ts';
import { previewImport } from './import-preview.ts';
import { listImports, readImport } from './import-reports.ts';
import { importPackages } from './import.ts';
import { importTemplate } from './import-template.ts';
import { listPackages } from './lists.ts';
import { chooseNextStep } from './next-step.ts';
import { ratePackage } from './rating.ts';
import { setPlace } from './set-place.ts';
import { listFailedAttempts, readPackage, summarize, timeline } from './service.ts';
import { updatePackage } from './update.ts';

export function packagesHttp(app: FastifyInstance, ctx: Ctx) {
  const create = openCreates(ctx);
  bind(app, ctx, packages, {
    create: (ctx, { actor, body }) => create(ctx, actor, body),
    listAll: (ctx, { actor, query }) => listPackages(ctx, actor, null, query),
    listOfUser: (ctx, { actor, params, query }) => listPackages(ctx, actor, params.id, query),
    exportAll: (ctx, { actor, query }) => exportPackages(ctx, actor, null, query),
    exportOfUser: (ctx, { actor, params, query }) => exportPackages(ctx, actor, params.id, query),
    import: (ctx, { actor, body, query, request }) =>
      importPackages(ctx, actor, body, query, readIdempotencyKey(request)),
    previewImport: (ctx, { actor, body, query }) => previewImport(ctx, actor, body, query),
    importTemplate: async () => importTemplate(),
    imports: (ctx, { actor, query }) => listImports(ctx, actor, query),
    readImport: (ctx, { actor, params }) => readImport(ctx, actor, params.id),
    summary: (ctx, { actor, params }) => summarize(ctx, actor, params.id),
    read: (ctx, { actor, params }) => readPackage(ctx, actor, params.id),
    bulk: (ctx, { actor, body }) => changeInBulk(ctx, actor, body),
    chooseNextStep: (ctx, { actor, params, body }) => chooseNextStep(ctx, actor, params.id, body),
    setPlace: (ctx, { actor, params, body }) => setPlace(ctx, actor, params.id, body),
    rate: (ctx, { actor, params, body }) => ratePackage(ctx, actor, params.id, body),
    attempts: (ctx, { actor, params }) => listFailedAttempts(ctx, actor, params.id),
    events: (ctx, { actor, params, query }) => timeline(ctx, actor, params.id, query),
    addImage: (ctx, { actor, params, file }) => addImage(ctx, actor, params.id, file),
    update: (ctx, { actor, params, body, request }) =>
      updatePackage(ctx, actor, params.id, body, request.headers['if-match'] ?? null),
  });
}
