import { persons } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import type { CarriedDeliveries } from '../users/service.ts';
import { erasePerson, exportPerson, findPersons } from './persons.ts';

/** A search that its reader has left ends. */
const searchMs = 12_000;

export const personsHttp = (app: FastifyInstance, ctx: Ctx, deliveries: CarriedDeliveries) =>
  bind(app, ctx, persons, {
    search: (ctx, { actor, body }) => findPersons(ctx, actor, body, AbortSignal.timeout(searchMs)),
    exportAll: (ctx, { actor, body }) => exportPerson(ctx, actor, body),
    erase: (ctx, { actor, body }) => erasePerson(ctx, actor, body, deliveries),
  });
