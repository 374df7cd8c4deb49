import { deliveries } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http/http.ts';
import { textsFor } from '../platform/languages.ts';
import { releasePin } from './asked.ts';
import { collectPackage, reopenDelivery } from './corrections.ts';
import {
  listCompleted,
  listOfOwner,
  listOwn,
  listPending,
  openUnclaimed,
  summarizeDeliveries,
  summarizeDeliveriesOf,
} from './lists.ts';
import { makeProofBundle } from './proof-bundle.ts';
import { readReceipt } from './receipt.ts';
import {
  acknowledgeChanges,
  assignDelivery,
  driverOfPackage,
  readDriver,
  reportLocation,
  requireVisible,
} from './service.ts';
import { completeDoor, openSteps } from './steps.ts';

export function deliveriesHttp(app: FastifyInstance, shared: Ctx) {
  const steps = openSteps(shared);
  const unclaimed = openUnclaimed(shared);
  bind(
    app,
    shared,
    deliveries,
    {
      pending: (ctx, { actor, query }) => listPending(ctx, unclaimed, actor, query),
      available: (_ctx, { query }) => unclaimed.packages(query),
      mine: (ctx, { actor, query }) => listOwn(ctx, actor, query),
      completed: (ctx, { actor, query }) => listCompleted(ctx, actor, query),
      summary: (ctx, { actor }) => summarizeDeliveries(ctx, unclaimed, actor),
      summaryOf: (ctx, { params }) => summarizeDeliveriesOf(ctx, params.id),
      ofOwner: (ctx, { actor, query }) => listOfOwner(ctx, actor, query),
      driverOfPackage: (ctx, { actor, params }) => driverOfPackage(ctx, actor, params.id),
      receipt: (ctx, { actor, params }) => readReceipt(ctx, actor, params.id),
      proof: (ctx, { actor, params, request }) => makeProofBundle(ctx, actor, params.id, textsFor(request)),
      driverInfo: (ctx, { actor, params }) => readDriver(ctx, actor, params.id),
      start: (ctx, { actor, params }) => steps.start(ctx, actor, params.id),
      next: (ctx, { actor, params }) => steps.next(ctx, actor, params.id),
      arrive: (ctx, { actor, params, body }) => steps.arrive(ctx, actor, params.id, body),
      retract: (ctx, { actor, params }) => steps.retract(ctx, actor, params.id),
      reportLocation: (ctx, { actor, params, body }) => reportLocation(ctx, actor, params.id, body.location),
      acknowledge: (ctx, { actor, params }) => acknowledgeChanges(ctx, actor, params.id),
      complete: (ctx, { actor, params, body }) => steps.complete(ctx, actor, params.id, body),
      completeDoor: (ctx, { actor, body }) => completeDoor(ctx, shared, actor, body),
      fail: (ctx, { actor, params, body }) => steps.fail(ctx, actor, params.id, body),
      collected: (ctx, { actor, params, body }) => collectPackage(ctx, shared, actor, params.id, body),
      releasePin: (ctx, { actor, params, body }) => releasePin(ctx, actor, params.id, body?.waive === true),
      reopen: (ctx, { actor, params, body }) => reopenDelivery(ctx, actor, params.id, body.reason),
      assign: (ctx, { actor, params, body }) => assignDelivery(ctx, actor, params.id, body),
    },
    requireVisible,
  );
}
