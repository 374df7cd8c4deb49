import { skillsFor, type OptimizeInput, type OptimizedRoute } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { InvalidProblem, type Problem, type Stop, type Vehicle } from '../optimizer/problem.ts';
import { OptimizerBusy, OptimizerFailed } from '../optimizer/threads.ts';
import { findOnRoutes } from '../packages/on-routes.ts';
import { nextFirst } from '../packages/rounds.ts';
import { windowsOf, type PackageRow } from '../packages/row.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { AppError, unavailable } from '../platform/errors.ts';
import type { Point } from '../travel/estimate.ts';
import { serviceTimes } from '../travel/service-times.ts';
import type { TravelTimes } from '../travel/travel.ts';
import type { RouteRow } from './queries.ts';
import { assertLegal, findChangeable, readChanged, storeOrder } from './service.ts';
import { findDepotPlace, findStopPlaces } from './stop-places.ts';
import { openStopsOf } from './stops.ts';

/** Waiting for a driver who is too early costs nothing but time; driving costs time and distance. */
const costs = { perSecond: 1, perMetre: 0.02 };
/** The vehicle's start, before all stops in the matrix. */
const startPlace = 0;

/**
 * Puts the open stops of a route in a better order. Stops that are locked, on their way or without a place stay where they are.
 * @throws no_place when it is not known where the driver sets out, or where any stop is; stale when the route changes meanwhile
 */
export async function optimizeRoute(ctx: Ctx, actor: Actor, id: string, input: OptimizeInput): Promise<OptimizedRoute> {
  const route = await findChangeable(ctx.db, actor, id, 'deliveries.update');
  assertLegal('change', route, 'it cannot be changed any more');
  const packages = [...(await findOnRoutes(ctx.db, [route.id], [])).values()];
  const open = openStopsOf(route, packages);
  const round = await readRound(ctx, route, packages, open);
  const present = evaluate(round, round.driven);
  const found = await search(ctx, round, input?.limitSeconds);
  const better = evaluate(round, found);
  const saved = present.late.length - better.late.length || present.cost - better.cost;
  const [order, after] = saved > 0 ? [found, better] : [round.driven, present];
  return ctx.db.transaction(async (tx) => {
    await storeOrder(ctx, tx, actor, route, withUnplaced(round, order));
    const shown = await readChanged(ctx, tx, actor, route.id);
    const figures = ({ metres, seconds, late }: Evaluation) => ({ metres, seconds, late: late.length });
    return {
      ...shown,
      optimized: {
        before: figures(present),
        after: figures(after),
        withoutPlace: round.open.filter((pkg) => !round.places.has(pkg.id)).map((pkg) => pkg.id),
        late: after.late,
        travelTimes: round.travelTimes,
      },
    };
  });
}

export interface Round {
  open: PackageRow[];
  /** Those with a place, in the order in which they are driven. */
  driven: PackageRow[];
  places: Map<string, Point>;
  problem: Problem;
  travelTimes: TravelTimes;
  /** Time 0 of the problem. */
  origin: Date;
}

/**
 * What the optimizer is to solve for a route. Times count from now, or from the planned start.
 * @param added packages that are not on the route: stops of the problem, but of no order yet
 */
export async function readRound(
  ctx: Ctx,
  route: RouteRow,
  packages: PackageRow[],
  open: PackageRow[],
  added: PackageRow[] = [],
): Promise<Round> {
  const places = await findStopPlaces(
    ctx.db,
    [...packages, ...added].map((pkg) => pkg.id),
  );
  const depot = await findDepotPlace(ctx.db, route.depot_id);
  const placeAt = (lon: number | null, lat: number | null) => (lon === null || lat === null ? depot : { lon, lat });
  const start = placeOfDriver(packages, places) ?? placeAt(route.start_lon, route.start_lat);
  const end = placeAt(route.end_lon, route.end_lat);
  const isOnItsWay = (pkg: PackageRow) => pkg.status === 'out for delivery';
  const driven = nextFirst(open, isOnItsWay).filter((pkg) => places.has(pkg.id));
  const stopped = [...driven, ...added.filter((pkg) => places.has(pkg.id))];
  if (stopped.length === 0 || !start)
    throw new AppError(
      'no_place',
      stopped.length === 0
        ? 'None of these stops has a place yet. Please put their pins on the map first.'
        : 'The depot has no place yet. Please give it an address or a pin first.',
    );
  const origin = route.state === 'planned' ? (route.starts_at ?? ctx.now()) : ctx.now();
  const seconds = (time: Date) => (time.getTime() - origin.getTime()) / 1000;
  const points = [start, ...stopped.map((pkg) => places.get(pkg.id) ?? start), ...(end ? [end] : [])];
  const service = serviceTimes(points.slice(1, stopped.length + 1));
  const stops = stopped.map((pkg, index): Stop => {
    const isKept = isOnItsWay(pkg) || (route.locked_ids.includes(pkg.id) && index < driven.length);
    return {
      id: pkg.id,
      place: index + 1,
      serviceSeconds: service[index] ?? 0,
      windows: windowsOf(pkg).map(([from, to]) => [seconds(from), seconds(to)]),
      kilograms: pkg.weight,
      // The driver has those of the route already.
      skills: index < driven.length ? [] : skillsFor({ refrigerated: pkg.handling_refrigerated }),
      penalty: 1e9,
      ...(isKept && { locked: { vehicle: route.id, position: index } }),
    };
  });
  const vehicle: Vehicle = {
    id: route.id,
    shift: [0, Infinity],
    start: startPlace,
    end: end ? points.length - 1 : null,
    capacityKg: null,
    maxStops: null,
    skills: [],
    fixedCost: 0,
  };
  const { matrix, travelTimes } = await ctx.travel.matrix(points);
  return { open, driven, places, problem: { matrix, stops, vehicles: [vehicle], costs }, travelTimes, origin };
}

/** The last stop that was done. */
function placeOfDriver(packages: PackageRow[], places: Map<string, Point>): Point | null {
  const doneAt = (pkg: PackageRow) =>
    Math.max(...[pkg.completed_at, pkg.failed_at, pkg.returned_at].map((at) => at?.getTime() ?? 0));
  const last = packages.filter((pkg) => doneAt(pkg) > 0).toSorted((a, b) => doneAt(b) - doneAt(a))[0];
  return (last && places.get(last.id)) ?? null;
}

/** Few stops need little time, and somebody waits. In s. */
const secondsFor = (stops: number) => Math.min(0.8, Math.max(0.1, stops * 0.015));

async function search(ctx: Ctx, { problem, driven }: Round, limitSeconds: number | undefined): Promise<PackageRow[]> {
  try {
    const { solution } = await ctx.optimizer.putInOrder(problem, {
      limitSeconds: limitSeconds ?? secondsFor(driven.length),
    });
    const byId = new Map(driven.map((pkg) => [pkg.id, pkg]));
    return solution.routes.flatMap(({ visits }) => visits.flatMap(({ stop }) => byId.get(stop) ?? []));
  } catch (error) {
    if (error instanceof OptimizerBusy) throw unavailable(2);
    if (error instanceof InvalidProblem || error instanceof OptimizerFailed) {
      ctx.log.error({ reason: error.message }, 'the order of a route could not be improved');
      throw unavailable(5);
    }
    throw error;
  }
}

export interface Evaluation {
  metres: number;
  /** Driving time. */
  seconds: number;
  /** Stops that the driver reaches after their window. */
  late: string[];
  cost: number;
  /** When each stop is reached, and when the route ends, in s. */
  arrivals: Map<string, number>;
  end: number;
}

/** Drives an order through the matrix, as the optimizer's checker does. */
export function evaluate({ problem }: Round, order: PackageRow[]): Evaluation {
  const { matrix, stops, vehicles } = problem;
  const byId = new Map(stops.map((stop) => [stop.id, stop]));
  const evaluation: Evaluation = { metres: 0, seconds: 0, late: [], cost: 0, arrivals: new Map(), end: 0 };
  let place = startPlace;
  let clock = 0;
  const drive = (to: number) => {
    const arc = place * matrix.size + to;
    evaluation.metres += matrix.metres[arc] ?? 0;
    evaluation.seconds += matrix.seconds[arc] ?? 0;
    clock += matrix.seconds[arc] ?? 0;
    place = to;
  };
  for (const { id } of order) {
    const stop = byId.get(id);
    if (!stop) continue;
    drive(stop.place);
    evaluation.arrivals.set(id, clock);
    const [window] = stop.windows;
    if (window && clock > window[1]) evaluation.late.push(id);
    else if (window) clock = Math.max(clock, window[0]);
    clock += stop.serviceSeconds;
  }
  const end = vehicles[0]?.end ?? null;
  if (end !== null) drive(end);
  evaluation.end = clock;
  evaluation.cost = evaluation.seconds * costs.perSecond + evaluation.metres * costs.perMetre;
  return evaluation;
}

/** The order of all open stops, as the route stores it: those without a place, and the one on its way, keep their position. */
function withUnplaced({ open, places }: Round, driven: PackageRow[]): string[] {
  const isKept = (pkg: PackageRow) => !places.has(pkg.id) || pkg.status === 'out for delivery';
  const rest = driven.filter((pkg) => !isKept(pkg));
  return open.map((pkg) => (isKept(pkg) ? pkg : (rest.shift() ?? pkg)).id);
}
