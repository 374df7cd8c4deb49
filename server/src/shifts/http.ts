import { absences, shifts } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { createAbsence, listAbsences, removeAbsence, updateAbsence } from './absences.ts';
import { copyWeek, createShift, listDrivers, listShifts, removeShift, updateShift } from './service.ts';

export function shiftsHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, shifts, {
    list: (ctx, { query }) => listShifts(ctx, null, query),
    mine: (ctx, { actor, query }) => listShifts(ctx, actor.id, query),
    drivers: (ctx, { query }) => listDrivers(ctx, query),
    create: (ctx, { actor, body }) => createShift(ctx, actor, body),
    copyWeek: (ctx, { actor, body }) => copyWeek(ctx, actor, body),
    update: (ctx, { actor, params, body, request }) =>
      updateShift(ctx, actor, params.id, body, request.headers['if-match'] ?? null),
    remove: (ctx, { actor, params }) => removeShift(ctx, actor, params.id),
  });
  bind(app, ctx, absences, {
    list: (ctx, { query }) => listAbsences(ctx, null, query),
    mine: (ctx, { actor, query }) => listAbsences(ctx, actor.id, query),
    create: (ctx, { actor, body }) => createAbsence(ctx, actor, body),
    report: (ctx, { actor, body }) => createAbsence(ctx, actor, { ...body, driverId: actor.id }),
    update: (ctx, { actor, params, body, request }) =>
      updateAbsence(ctx, actor, params.id, body, request.headers['if-match'] ?? null),
    remove: (ctx, { actor, params }) => removeAbsence(ctx, actor, params.id),
  });
}
