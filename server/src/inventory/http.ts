import { inventory } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { exportInventory, listInventoryPackages, readInventory } from './service.ts';

export function inventoryHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, inventory, {
    read: (ctx, { actor, query }) => readInventory(ctx, actor, query),
    packages: (ctx, { actor, query }) => listInventoryPackages(ctx, actor, query),
    exportCounts: (ctx, { actor, query }) => exportInventory(ctx, actor, query),
  });
}
