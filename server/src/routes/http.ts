import { dispatch, offers, routes } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { findOnMap } from '../packages/on-map.ts';
import { bind } from '../platform/http/http.ts';
import { finishRoute, startRoute } from './round.ts';
import { findColleagues } from './offer-queries.ts';
import {
  acceptOffer,
  declineOffer,
  listAllOffers,
  listOffers,
  offerStops,
  requireVisibleOffer,
  withdrawOffer,
} from './offers.ts';
import { findInsertions, insertStop } from './insert.ts';
import { listBusyDrivers, listLanes } from './lanes.ts';
import { readDayAfterFailing, readProposedDay } from './next-days.ts';
import { receivePackages } from './receiving.ts';
import { optimizeRoute } from './optimize.ts';
import { addStops, moveStops } from './planning.ts';
import { reassignStops } from './reassign.ts';
import {
  createRoute,
  listOwnRoutes,
  listRoutes,
  readRoute,
  removeRoute,
  requireVisible,
  sortStops,
  updateRoute,
} from './service.ts';
import { splitPackages } from './split.ts';
import { listWaitingPackages, mapWaiting, readWaiting, selectWaiting } from './waiting.ts';

export function routesHttp(app: FastifyInstance, ctx: Ctx): void {
  bind(
    app,
    ctx,
    routes,
    {
      list: (ctx, { actor, query }) => listRoutes(ctx, actor, query),
      lanes: (ctx) => listLanes(ctx),
      mine: (ctx, { actor, query }) => listOwnRoutes(ctx, actor, query),
      read: (ctx, { actor, params }) => readRoute(ctx, actor, params.id),
      create: (ctx, { actor, body }) => createRoute(ctx, actor, body),
      update: (ctx, { actor, params, body, request }) =>
        updateRoute(ctx, actor, params.id, body, request.headers['if-match'] ?? null),
      remove: (ctx, { actor, params }) => removeRoute(ctx, actor, params.id),
      addStops: (ctx, { actor, params, body }) => addStops(ctx, actor, params.id, body.packageIds),
      move: (ctx, { actor, params, body }) => moveStops(ctx, actor, params.id, body),
      receive: (ctx, { actor, params, body }) => receivePackages(ctx, actor, params.id, body.trackingIds),
      proposeOrder: (ctx, { actor, params }) => sortStops(ctx, actor, params.id),
      insert: (ctx, { actor, params, body }) => insertStop(ctx, actor, params.id, body),
      optimize: (ctx, { actor, params, body }) => optimizeRoute(ctx, actor, params.id, body),
      start: (ctx, { actor, params, body }) => startRoute(ctx, actor, params.id, body),
      finish: (ctx, { actor, params, body }) => finishRoute(ctx, actor, params.id, body),
    },
    requireVisible,
  );
  bind(
    app,
    ctx,
    offers,
    {
      create: (ctx, { actor, params, body }) => offerStops(ctx, actor, params.id, body),
      colleagues: (ctx, { actor }) => findColleagues(ctx.db, actor.id),
      open: (ctx, { actor }) => listAllOffers(ctx, actor),
      mine: (ctx, { actor }) => listOffers(ctx, actor),
      accept: (ctx, { actor, params }) => acceptOffer(ctx, actor, params.id),
      decline: (ctx, { actor, params }) => declineOffer(ctx, actor, params.id),
      remove: (ctx, { actor, params }) => withdrawOffer(ctx, actor, params.id),
    },
    requireVisibleOffer,
  );
}

export const dispatchHttp = (app: FastifyInstance, ctx: Ctx) =>
  bind(app, ctx, dispatch, {
    proposedDay: (ctx, { actor, params }) => readProposedDay(ctx, actor, params.id),
    dayAfterFailing: (ctx, { actor, params }) => readDayAfterFailing(ctx, actor, params.id),
    busy: (ctx, { query }) => listBusyDrivers(ctx, query.day),
    waiting: (ctx, { query }) => readWaiting(ctx, query),
    waitingPackages: (ctx, { actor, query }) => listWaitingPackages(ctx, actor, query),
    waitingMap: (ctx, { query }) => mapWaiting(ctx, query),
    insertions: (ctx, { actor, query }) => findInsertions(ctx, actor, query),
    map: (ctx, { query }) => findOnMap(ctx.reads, query),
    select: (ctx, { body }) => selectWaiting(ctx, body),
    split: (ctx, { actor, body }) => splitPackages(ctx, actor, body),
    reassign: (ctx, { actor, body }) => reassignStops(ctx, actor, body),
  });
