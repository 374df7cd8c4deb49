import * as z from 'zod/mini';
import { ById, Confirm, Day, DayInput, Id, Instant, InstantInput, PageQuery, trueOrFalse } from './common.ts';
import { Delivery } from './deliveries.ts';
import { group } from './endpoint.ts';
import { Position } from './places.ts';
import { vehicleSkills } from './vehicles.ts';

export const routeStates = ['planned', 'started', 'finished'] as const;
export const RouteState = z.enum(routeStates);
export type RouteState = z.output<typeof RouteState>;

/** The state machine of a route. `to` null: the state stays, or the route is gone. The server enforces it. */
export const routeLifecycle = {
  addStops: { from: ['planned'], to: null },
  change: { from: ['planned', 'started'], to: null },
  move: { from: ['planned', 'started'], to: null },
  offer: { from: ['started'], to: null },
  remove: { from: ['planned'], to: null },
  start: { from: ['planned'], to: 'started' },
  finish: { from: ['started'], to: 'finished' },
} as const satisfies Record<string, { from: readonly RouteState[]; to: RouteState | null }>;
export type RouteAction = keyof typeof routeLifecycle;

export const isLegalForRoute = (action: RouteAction, state: RouteState): boolean =>
  (routeLifecycle[action].from as readonly RouteState[]).includes(state);

/**
 * `open`: planned or on the road. `next`: out for delivery. `arrived`: the driver is at its door. `returned`: its owner has it back. `failed`: an attempt on this route failed. `left`: it was taken back to the
 * depot at the end of the route.
 */
export const stopStates = ['open', 'next', 'arrived', 'delivered', 'failed', 'returned', 'left'] as const;
export const StopState = z.enum(stopStates);
export type StopState = z.output<typeof StopState>;

export const isOpenStop = (state: StopState): boolean => state === 'open' || state === 'next' || state === 'arrived';

/** A package on a route. */
export const Stop = z.object({
  packageId: z.string(),
  /** From 1, in the order of the route. */
  position: z.int(),
  state: StopState,
  /** Keeps its place when the order is proposed. */
  locked: z.boolean(),
  /** While it is open: the package was edited after it was planned. */
  changed: z.boolean(),
  /** The estimate; null for a stop that is not open, and without a start time. */
  arrivesAt: z.nullable(Instant),
  /** When the driver is expected: the estimate with its margin. */
  arrivalWindow: z.nullable(z.object({ from: Instant, to: Instant })),
  /** When it was delivered, failed or given back to its owner; null for any other. */
  endedAt: z.nullable(Instant),
  /** The name of the owner; null while the caller does not see the stop whole, and of a deleted account. */
  sender: z.nullable(z.string()),
  /** As the caller may see it: a driver sees stops of a planned route whole from the day's midnight in the depot's zone, or once released. */
  delivery: Delivery,
});
export type Stop = z.output<typeof Stop>;

/** One driver's stops of one day, in order, from a depot. */
export const Route = z.object({
  id: z.string(),
  day: Day,
  depotId: z.string(),
  /** Null also where the driver of a planned route is no active driver any more. */
  driverId: z.nullable(z.string()),
  state: RouteState,
  version: z.int(),
  /** The planned start; once started, the actual one. */
  startsAt: z.nullable(Instant),
  /** Its driver sees the stops whole, even before the day. */
  released: z.boolean(),
  stops: z.array(Stop),
  /** The weight of the stops that are still open. */
  kilograms: z.number(),
  /**
   * The whole way, from its start through all stops to its end: driving distance in m, driving time in s, CO2. Stops without a known place are
   * left out. Null if no place is known.
   */
  drive: z.nullable(
    z.object({
      metres: z.number(),
      seconds: z.number(),
      co2Kg: z.number(),
      withoutPlace: z.int(),
      travelTimes: z.enum(['estimated', 'router']),
      /** By the settings; of a finished route by those of its end. Null without them, and for callers who plan no routes. */
      cost: z.nullable(z.object({ amount: z.number(), currency: z.string() })),
    }),
  ),
  /** Where its driver sets out and ends, if that is not the depot. Null also for those who do not see places. */
  start: z.nullable(Position),
  end: z.nullable(Position),
  /** What its driver's vehicle can carry; null without an active driver. Plans keep to it; whoever plans by hand may exceed it. */
  vehicle: z.nullable(
    z.object({
      capacityKg: z.nullable(z.number()),
      maxStops: z.nullable(z.int()),
      skills: z.array(z.enum(vehicleSkills)),
    }),
  ),
});
export type Route = z.output<typeof Route>;

/** The most stops of one route, and packages of one request. */
export const maxStops = 500;

const isOnce = (ids: string[]) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length;

const StopIds = z
  .array(Id)
  .check(z.maxLength(maxStops, `At most ${maxStops} packages at a time`), z.refine(isOnce, 'Each package only once'));

export const SomeStopIds = StopIds.check(z.minLength(1, 'Please choose at least one package'));

export const RouteInput = z.strictObject({
  day: DayInput,
  depotId: Id,
  driverId: z.optional(z.nullable(Id)),
  startsAt: z.optional(z.nullable(InstantInput)),
  confirm: Confirm,
});
export type RouteInput = z.output<typeof RouteInput>;

/** Omitted fields keep their value. The driver of a route may change `order` alone. */
export const RouteUpdateInput = z.strictObject({
  driverId: z.optional(z.nullable(Id)),
  startsAt: z.optional(z.nullable(InstantInput)),
  released: z.optional(z.boolean()),
  confirm: Confirm,
  /** Every open stop once. */
  order: z.optional(StopIds),
  /** The stops that keep their place. */
  locked: z.optional(StopIds),
  /** Optimistic lock: the version that was read. If the server's is newer, the reply is 409. May be left out with `If-Match` alone. */
  version: z.optional(z.int()),
});
export type RouteUpdateInput = z.output<typeof RouteUpdateInput>;

export const StopsInput = z.strictObject({ packageIds: SomeStopIds });
/** `to`: another route, or null for the depot. */
export const MoveStopsInput = z.strictObject({ packageIds: SomeStopIds, to: z.nullable(Id) });
export type MoveStopsInput = z.output<typeof MoveStopsInput>;

/** `missing`: stops that are not in the van. They wait again, each with an incident. */
export const StartRouteInput = z.nullish(z.strictObject({ missing: z.optional(StopIds) }));
export type StartRouteInput = z.output<typeof StartRouteInput>;

/** `returned`: what is back at the depot, open or failed. Other open ones stay with the driver, each with an incident. */
export const FinishRouteInput = z.nullish(z.strictObject({ returned: z.optional(StopIds) }));
export type FinishRouteInput = z.output<typeof FinishRouteInput>;

/** Why a package was not planned or moved, as sentences. */
export const stopRefusals = {
  not_waiting: 'This package does not wait for a driver',
  on_other_route: 'This package is on another route',
  started: 'A driver has already started this package',
  gone: 'This package is no longer available',
  full: `A route has at most ${maxStops} stops`,
} as const;
export type StopRefusal = keyof typeof stopRefusals;

/** What was refused is unchanged. */
export const RefusedStops = z.array(
  z.object({
    packageId: z.string(),
    code: z.enum(Object.keys(stopRefusals) as [StopRefusal, ...StopRefusal[]]),
    message: z.string(),
    /** The route that has it, if another one does. */
    route: z.optional(z.object({ id: z.string(), day: Day, depotId: z.string(), driver: z.nullable(z.string()) })),
  }),
);

export const StopsResult = z.object({ done: z.array(z.string()), refused: RefusedStops });
export type StopsResult = z.output<typeof StopsResult>;

/** As scanned from labels, in any case. */
export const ReceiveInput = z.strictObject({
  trackingIds: z
    .array(z.string().check(z.maxLength(60, 'Tracking ID can be at most 60 characters')))
    .check(
      z.minLength(1, 'Please scan at least one package'),
      z.maxLength(maxStops, `At most ${maxStops} packages at a time`),
    ),
});

/** `done` has the ids of packages. What was refused is unchanged. */
export const ReceiveResult = z.object({
  done: z.array(z.string()),
  refused: z.array(
    z.object({
      trackingId: z.string(),
      code: z.enum(Object.keys(stopRefusals) as [StopRefusal, ...StopRefusal[]]),
      message: z.string(),
    }),
  ),
});
export type ReceiveResult = z.output<typeof ReceiveResult>;

/** Bounds in s: somebody waits for the answer. Without it as long as the number of stops needs, less than a second. */
export const OptimizeInput = z.nullish(
  z.strictObject({
    limitSeconds: z.optional(
      z
        .number('The limit must be a number')
        .check(
          z.minimum(0.3, 'The limit must be from 0.3 to 10 seconds'),
          z.maximum(10, 'The limit must be from 0.3 to 10 seconds'),
        ),
    ),
  }),
);
export type OptimizeInput = z.output<typeof OptimizeInput>;

/** Of the rest of a route: driving distance in m, driving time in s, and the number of stops that are reached after their window. */
const Drive = z.object({ metres: z.number(), seconds: z.number(), late: z.int() });

export const OptimizedRoute = z.extend(Route, {
  optimized: z.object({
    before: Drive,
    after: Drive,
    /** Packages whose place is unknown, or no more than their town. They kept their position, and count in no distance. */
    withoutPlace: z.array(z.string()),
    /** Packages that are reached after their window in any order that was found. */
    late: z.array(z.string()),
    /** `estimated`: by straight lines and a mean speed. */
    travelTimes: z.enum(['estimated', 'router']),
  }),
});
export type OptimizedRoute = z.output<typeof OptimizedRoute>;

/** `before`: the open stop that it comes before; null: at the end. `version`: of the route. */
export const InsertInput = z.strictObject({ packageId: Id, before: z.nullable(Id), version: z.int() });
export type InsertInput = z.output<typeof InsertInput>;

export const RouteListQuery = z.extend(PageQuery, {
  day: z.optional(DayInput),
  driverId: z.optional(Id),
  depotId: z.optional(Id),
  unfinished: z._default(trueOrFalse('unfinished'), false),
});
export type RouteListQuery = z.output<typeof RouteListQuery>;

export const OwnRoutesQuery = z.extend(PageQuery, {
  day: z.optional(DayInput),
  /** Also those of this day that are finished. */
  finishedOn: z.optional(DayInput),
});
export type OwnRoutesQuery = z.output<typeof OwnRoutesQuery>;

const dispatch = { access: { anyOf: ['deliveries.assign'] }, scope: 'everything' } as const;
const failure = 'Failed to fetch routes.';
const notSaved = 'Failed to save the route.';

/** A stop as a lane draws it: without the address and whose it is. */
export const LaneStop = z.object({
  packageId: z.string(),
  state: StopState,
  /** When it ended, else when the driver is expected; null where neither is known. */
  at: z.nullable(Instant),
  /** While it is open: expected after its window or day. */
  late: z.boolean(),
});
export type LaneStop = z.output<typeof LaneStop>;

/** A driver's route as one line: how far it is, and what comes next. */
export const Lane = z.object({
  routeId: z.string(),
  day: Day,
  depotId: z.string(),
  /** The depot's, in which the lane's times are shown. */
  timeZone: z.string(),
  driverId: z.string(),
  driver: z.string(),
  state: z.enum(['planned', 'started']),
  startsAt: z.nullable(Instant),
  /** In which it starts, else the driver's first one of that day. */
  shift: z.nullable(z.object({ from: Instant, to: Instant })),
  /** In the order of the route. */
  stops: z.array(LaneStop),
});
export type Lane = z.output<typeof Lane>;

/** The most lanes of a reply. */
export const maxLanes = 200;

export const routes = group({
  /** Drivers get their own. */
  list: {
    method: 'GET',
    path: '/routes',
    failure,
    access: { anyOf: ['deliveries.assign', 'deliveries.view_all', 'deliveries.update'] },
    scope: 'own deliveries',
    query: RouteListQuery,
    reply: z.array(Route),
    list: true,
  },
  /** The routes that are started, and the planned ones of their depots' today that have a driver; at most 200, the started ones first. */
  lanes: {
    method: 'GET',
    path: '/routes/lanes',
    summary: 'Read how far the routes of today are, without their packages',
    failure,
    access: { anyOf: ['deliveries.assign', 'deliveries.view_all'] },
    scope: 'everything',
    reply: z.array(Lane),
  },
  /** The driver's routes that are not finished, or those of a day: the started one first. */
  mine: {
    method: 'GET',
    path: '/routes/mine',
    failure,
    access: { role: 'driver', anyOf: ['deliveries.read'] },
    scope: 'own deliveries',
    query: OwnRoutesQuery,
    reply: z.array(Route),
    list: true,
  },
  read: {
    method: 'GET',
    path: '/routes/:id',
    failure,
    access: { anyOf: ['deliveries.assign', 'deliveries.view_all', 'deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    reply: Route,
  },
  create: {
    method: 'POST',
    path: '/routes',
    failure: notSaved,
    ...dispatch,
    body: RouteInput,
    reply: Route,
    status: 201,
    errors: ['off_duty'],
  },
  update: {
    method: 'PUT',
    path: '/routes/:id',
    failure: notSaved,
    access: { anyOf: ['deliveries.assign', 'deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    body: RouteUpdateInput,
    reply: Route,
    errors: ['stale', 'precondition_failed', 'illegal_step', 'off_duty'],
  },
  /** Only a planned route. Its packages wait again. */
  remove: {
    method: 'DELETE',
    path: '/routes/:id',
    failure: 'Failed to delete the route.',
    ...dispatch,
    params: ById,
    reply: 'none',
    errors: ['illegal_step'],
  },
  /** Plans waiting packages as the last stops of a planned route. Nobody outside is told. */
  addStops: {
    method: 'POST',
    path: '/routes/:id/stops',
    failure: notSaved,
    ...dispatch,
    params: ById,
    body: StopsInput,
    reply: StopsResult,
    errors: ['illegal_step'],
  },
  /**
   * Moves open stops to another route, whose last stops they become, or back to the depot. From a started route they go to another started
   * one, whose driver gets them, or to the depot without an attempt; on a started route planned packages start at once.
   */
  move: {
    method: 'POST',
    path: '/routes/:id/move',
    failure: notSaved,
    ...dispatch,
    params: ById,
    body: MoveStopsInput,
    reply: StopsResult,
    errors: ['illegal_step'],
  },
  /** Scans waiting packages in: they are at this depot. A repeat changes nothing. */
  receive: {
    method: 'POST',
    path: '/depots/:id/packages',
    failure: 'Failed to save the scanned packages.',
    ...dispatch,
    params: ById,
    body: ReceiveInput,
    reply: ReceiveResult,
  },
  /** Sorts the open stops by postal code, town and street. Locked ones, and the one that is out for delivery, keep their place. */
  proposeOrder: {
    method: 'POST',
    path: '/routes/:id/propose-order',
    failure: notSaved,
    access: { anyOf: ['deliveries.assign', 'deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    reply: Route,
    errors: ['illegal_step'],
  },
  /** Puts a waiting package where `GET /routes/insertions` has found the best place: on a started route it is in transit at once. */
  insert: {
    method: 'POST',
    path: '/routes/:id/insert',
    summary: 'Put a waiting package on a route, before one of its stops',
    load: 'actions',
    failure: notSaved,
    ...dispatch,
    params: ById,
    body: InsertInput,
    reply: Route,
    errors: ['illegal_step', 'stale', 'no_driver'],
  },
  /** Puts the open stops in a better order. Stops that are locked, on their way or without a place keep their position. */
  optimize: {
    method: 'POST',
    path: '/routes/:id/optimize',
    load: 'actions',
    failure: notSaved,
    access: { anyOf: ['deliveries.assign', 'deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    body: OptimizeInput,
    reply: OptimizedRoute,
    limit: 'optimize',
    repeats: 'are executed again',
    errors: ['illegal_step', 'no_place', 'stale'],
  },
  /** All packages at once: each gets its own estimated time, and the first is out for delivery. */
  start: {
    method: 'POST',
    path: '/routes/:id/start',
    load: 'actions',
    failure: 'Failed to start the route.',
    access: { anyOf: ['deliveries.claim', 'deliveries.assign'] },
    scope: 'own deliveries',
    params: ById,
    body: StartRouteInput,
    reply: Route,
    errors: ['empty', 'no_driver', 'other_route', 'illegal_step'],
  },
  finish: {
    method: 'POST',
    path: '/routes/:id/finish',
    load: 'actions',
    failure: 'Failed to finish the route.',
    access: { anyOf: ['deliveries.update', 'deliveries.assign'] },
    scope: 'own deliveries',
    params: ById,
    body: FinishRouteInput,
    reply: Route,
    errors: ['illegal_step'],
  },
});
