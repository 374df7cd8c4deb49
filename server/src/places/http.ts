import { addresses, map, places } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { beginUpload, cancelUpload, finishUpload, readMap, receivePart, removeExtract } from './map-uploads.ts';
import { createAddress, findAddressAt, listAddresses, removeAddress, searchPlaces, updateAddress } from './service.ts';

export function placesHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, places, {
    search: (ctx, { actor, query }) => searchPlaces(ctx, actor, query),
    reverse: (ctx, { actor, query }) => findAddressAt(ctx, actor, query),
  });
  bind(app, ctx, addresses, {
    list: (ctx, { actor, query }) => listAddresses(ctx, actor, query),
    create: (ctx, { actor, body }) => createAddress(ctx, actor, body),
    update: (ctx, { actor, params, body }) => updateAddress(ctx, actor, params.id, body),
    remove: (ctx, { actor, params }) => removeAddress(ctx, actor, params.id),
  });
  bind(app, ctx, map, {
    read: (ctx) => readMap(ctx),
    begin: (ctx, { actor, body }) => beginUpload(ctx, actor, body),
    part: (ctx, { params, file }) => receivePart(ctx, params.id, params.part, file),
    async finish(ctx, { actor, params }) {
      const upload = await finishUpload(ctx, actor, params.id);
      ctx.wakeMapImporter();
      return upload;
    },
    cancel: (ctx, { actor, params }) => cancelUpload(ctx, actor, params.id),
    remove: (ctx, { actor }) => removeExtract(ctx, actor),
  });
}
