import * as z from 'zod/mini';
import { ById, Confirm, Day, DayInput, Id, Instant } from './common.ts';
import { maxSplit, WaitingSelection } from './dispatch.ts';
import { group } from './endpoint.ts';
import { Position } from './places.ts';
import { maxStops, stopRefusals } from './routes.ts';
import { CostRates } from './vehicles.ts';

/** `solving`: a better plan may still come. `ready`: the best that was found. `applied`: its routes are planned. */
export const planStates = ['solving', 'ready', 'applied', 'failed'] as const;
export type PlanState = (typeof planStates)[number];

/**
 * Why a package is left out:
 * - `no_place`: where its address is, is unknown, or only its town.
 * - `skill`: no vehicle can carry it.
 * - `capacity`: too heavy, or the vehicles that it fits are full.
 * - `too_far`: no shift is long enough to drive there and back.
 * - `window`: nobody can be there in its window.
 * - `too_many_stops`: the drivers have as many stops as they may.
 * - `shift`: the shifts are used up.
 * - `taken_out`: by hand, after the search.
 */
export const planReasons = [
  'no_place',
  'skill',
  'capacity',
  'too_far',
  'window',
  'too_many_stops',
  'shift',
  'taken_out',
] as const;
export const PlanReason = z.enum(planReasons);
export type PlanReason = z.output<typeof PlanReason>;

/** The most packages of one plan. */
export const maxPlanPackages = 2000;

const isOnce = (ids: string[]) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length;

export const PlanInput = z.strictObject({
  day: DayInput,
  depotId: Id,
  /**
   * Without it the drivers with a shift on that day, or all if nobody has one. Drivers with a route on that day are left out, unless it is
   * one of `routeIds`.
   */
  driverIds: z.optional(
    z
      .array(Id)
      .check(
        z.minLength(1, 'Please choose at least one driver'),
        z.maxLength(maxSplit, `At most ${maxSplit} drivers at a time`),
        z.refine(isOnce, 'Each driver only once'),
      ),
  ),
  /** Without it and `selection` everything that waits and can be delivered on that day. What does not wait is left out. */
  packageIds: z.optional(
    z
      .array(Id)
      .check(
        z.minLength(1, 'Please choose at least one package'),
        z.maxLength(maxPlanPackages, `At most ${maxPlanPackages} packages at a time`),
        z.refine(isOnce, 'Each package only once'),
      ),
  ),
  selection: z.optional(WaitingSelection),
  /** Planned routes of that day and depot: their stops are planned anew, with what waits. */
  routeIds: z.optional(
    z
      .array(Id)
      .check(z.maxLength(maxSplit, `At most ${maxSplit} routes at a time`), z.refine(isOnce, 'Each route only once')),
  ),
  /** How long the search takes, in s. 10 by default. */
  limitSeconds: z.optional(
    z
      .number('The limit must be a number')
      .check(
        z.minimum(1, 'The limit must be from 1 to 120 seconds'),
        z.maximum(120, 'The limit must be from 1 to 120 seconds'),
      ),
  ),
  confirm: Confirm,
});
export type PlanInput = z.output<typeof PlanInput>;

/** The routes of a plan as somebody wants them: each stop on one of them, or on none. */
export const PlanChange = z.strictObject({
  /** Of the plan that was changed. */
  version: z.int(),
  routes: z
    .array(
      z.strictObject({
        driverId: Id,
        packageIds: z
          .array(Id)
          .check(z.maxLength(maxStops, stopRefusals.full), z.refine(isOnce, 'Each package only once')),
      }),
    )
    .check(z.maxLength(maxSplit, `At most ${maxSplit} drivers at a time`)),
});
export type PlanChange = z.output<typeof PlanChange>;

/** A package of a plan. Its street and place are hidden from callers without `packages.view_all`, as before a start. */
const planned = {
  packageId: z.string(),
  name: z.string(),
  street: z.nullable(z.string()),
  postalCode: z.nullable(z.string()),
  town: z.nullable(z.string()),
  place: z.nullable(z.object({ lon: z.number(), lat: z.number() })),
  /** When its recipient is there. */
  window: z.nullable(z.object({ from: Instant, to: Instant })),
};

/**
 * A limit that a route of a plan breaks, because it was changed by hand, or a stop is locked: by so many seconds (`window`, `shift`), kg
 * (`capacity`) or stops (`too_many_stops`). Of one stop, or of the whole route (null).
 */
export const PlanFault = z.object({
  reason: z.enum(['window', 'shift', 'capacity', 'too_many_stops', 'skill']),
  packageId: z.nullable(z.string()),
  by: z.number(),
});
export type PlanFault = z.output<typeof PlanFault>;

export const PlanStop = z.object({ ...planned, arrivesAt: Instant });
export type PlanStop = z.output<typeof PlanStop>;

export const PlanRoute = z.object({
  driverId: z.string(),
  /** The planned route that it became; null before the plan is applied. */
  routeId: z.nullable(z.string()),
  /** When the driver sets out, and is back. */
  startsAt: Instant,
  endsAt: Instant,
  /** Driving distance in m and time in s. */
  metres: z.number(),
  seconds: z.number(),
  kilograms: z.number(),
  /** Where the driver's routes begin and end, if not at the depot; hidden as places of packages are. */
  start: z.nullable(Position),
  end: z.nullable(Position),
  stops: z.array(PlanStop),
  faults: z.array(PlanFault),
});
export type PlanRoute = z.output<typeof PlanRoute>;

const totals = { stops: z.int(), metres: z.number(), seconds: z.number(), late: z.int() };
const Totals = z.object(totals);

/** A planned route as it is now, timed as the plan is. `late`: stops after their window. */
const PresentRoute = z.object({
  ...totals,
  routeId: z.string(),
  driverId: z.nullable(z.string()),
  /** Null without stops that have a place. */
  endsAt: z.nullable(Instant),
});
export type PresentRoute = z.output<typeof PresentRoute>;

export const Plan = z.object({
  id: z.string(),
  day: Day,
  depotId: z.string(),
  state: z.enum(planStates),
  limitSeconds: z.number(),
  createdAt: Instant,
  /** Raised by each change by hand. */
  version: z.int(),
  /** The drivers that it was made for, also those who get no stops. */
  driverIds: z.array(z.string()),
  /** The best so far. */
  routes: z.array(PlanRoute),
  unassigned: z.array(z.object({ ...planned, reason: PlanReason })),
  /** Driving time in s and distance, with a penalty for what is left out; null before anything was found. */
  cost: z.nullable(z.number()),
  /** How it got better: seconds since the search began. */
  best: z.array(z.object({ at: z.number(), cost: z.number() })),
  /** The same packages, split evenly by postal code among the same drivers, for comparison. `late`: stops after their window. */
  split: z.nullable(Totals),
  /** The routes that are planned anew, as they are now; empty if there are none. */
  present: z.array(PresentRoute),
  /** What driving costs, for comparisons; null where the settings do not say it. */
  rates: z.nullable(CostRates),
  /** `estimated`: by straight lines and a mean speed. */
  travelTimes: z.enum(['estimated', 'router']),
  /** Who found it: `vroom` where one is set and answered well. */
  optimizer: z.enum(['built-in', 'vroom']),
  /** Set but not used: it did not answer, or not well. Estimates and the built-in optimizer took its place. */
  missed: z.array(z.enum(['router', 'vroom'])),
  /** Why it failed, as a sentence. */
  failure: z.nullable(z.string()),
});
export type Plan = z.output<typeof Plan>;

const dispatch = { access: { anyOf: ['deliveries.assign'] }, scope: 'everything' } as const;

export const plans = group({
  /** Starts the search, one at a time for the whole installation. */
  create: {
    method: 'POST',
    path: '/plans',
    summary: 'Search the best routes for a day',
    failure: 'The plan could not be made.',
    ...dispatch,
    body: PlanInput,
    reply: Plan,
    status: 202,
    limit: 'optimize',
    errors: ['off_duty', 'no_place', 'no_driver', 'empty'],
  },
  read: {
    method: 'GET',
    path: '/plans/:id',
    summary: 'Read a plan, with the best routes so far',
    failure: 'The plan could not be loaded.',
    ...dispatch,
    params: ById,
    reply: Plan,
  },
  /** Drags stops between its routes: timed again at once. What a route breaks by it is told, not refused. */
  change: {
    method: 'PUT',
    path: '/plans/:id',
    summary: 'Change the routes of a plan by hand',
    failure: 'The plan could not be changed.',
    ...dispatch,
    params: ById,
    body: PlanChange,
    reply: Plan,
    errors: ['illegal_step', 'stale'],
  },
  /** All or nothing: 409 with what has changed since, by id. */
  apply: {
    method: 'POST',
    path: '/plans/:id/apply',
    summary: 'Plan the routes of a plan',
    failure: 'The plan could not be applied.',
    ...dispatch,
    params: ById,
    reply: Plan,
    errors: ['illegal_step', 'stale'],
  },
  /** Ends its search. Planned routes stay. */
  remove: {
    method: 'DELETE',
    path: '/plans/:id',
    summary: 'Delete a plan',
    failure: 'The plan could not be deleted.',
    ...dispatch,
    params: ById,
    reply: 'none',
  },
});
