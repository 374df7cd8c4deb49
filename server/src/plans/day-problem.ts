import { skillsFor, splitEvenly, type Plan, type PlanFault, type PlanReason } from '@waybill/contract';
import type { Matrix, Problem, Solution, Stop, Vehicle } from '../optimizer/problem.ts';
import { windowsOf, type PackageRow } from '../packages/row.ts';
import type { PlannedRoute } from '../routes/replan.ts';
import { inAddressOrder } from '../routes/waiting.ts';
import type { Point } from '../travel/estimate.ts';
import { serviceTimes } from '../travel/service-times.ts';
import type { DriverOfDay, PlanResult, StoredRoute } from './queries.ts';

/** Driving costs time, and a kilometre as much as 20 s. */
const costs = { perSecond: 1, perMetre: 0.02 };
/** More than any detour within a shift. */
const penalty = 100_000;
/** Nobody gets more than this share over the mean, unless packages would be left out. */
const unevenness = 1.4;
/** The depot comes first in the matrix. */
const depotPlace = 0;

/** Where a day's drivers may have to go. */
export interface DayPlaces {
  /** The depot first, then the packages that have a place, then where drivers begin and end. */
  points: Point[];
  placed: PackageRow[];
  unplaced: string[];
  /** The number of each driver's start and end among the points. */
  ends: { start: number; end: number }[];
}

export function placesOfDay(
  depot: Point,
  drivers: DriverOfDay[],
  packages: PackageRow[],
  places: Map<string, Point>,
): DayPlaces {
  const placed = packages.filter(({ id }) => places.has(id));
  const points = [depot, ...placed.map(({ id }) => places.get(id) ?? depot)];
  const placeAt = (lon: number | null, lat: number | null) =>
    lon === null || lat === null ? depotPlace : points.push({ lon, lat }) - 1;
  const ends = drivers.map((driver) => ({
    start: placeAt(driver.start_lon, driver.start_lat),
    end: placeAt(driver.end_lon, driver.end_lat),
  }));
  return { points, placed, ends, unplaced: packages.filter(({ id }) => !places.has(id)).map(({ id }) => id) };
}

/** The problem of planning a day, with what is needed to read its solution. */
export interface DayProblem {
  problem: Problem;
  /** Its time 0. */
  origin: Date;
  packages: PackageRow[];
  /** What the optimizer is not even asked for. */
  unplaced: string[];
}

/**
 * @param matrix between the points of `day`
 * @param isEven drivers get about as many stops each
 * @param replanned the routes whose stops are among the packages
 */
export function dayProblem(
  day: DayPlaces,
  matrix: Matrix,
  drivers: DriverOfDay[],
  isEven: boolean,
  replanned: readonly PlannedRoute[] = [],
): DayProblem {
  const { placed, ends, unplaced } = day;
  const origin = new Date(Math.min(...drivers.map(({ starts_at: at }) => at.getTime())));
  const seconds = (time: Date) => (time.getTime() - origin.getTime()) / 1000;
  const service = serviceTimes(day.points.slice(1, placed.length + 1));
  const mean = placed.length / drivers.length;
  const locks = locksOf(replanned, drivers, placed);
  const stops = placed.map((pkg, index): Stop => ({
    id: pkg.id,
    place: index + 1,
    serviceSeconds: service[index] ?? 0,
    windows: windowsOf(pkg).map(([from, to]) => [seconds(from), seconds(to)]),
    kilograms: pkg.weight,
    skills: skillsFor({ refrigerated: pkg.handling_refrigerated }),
    penalty,
    ...locks.get(pkg.id),
  }));
  const vehicles = drivers.map((driver, index): Vehicle => ({
    id: driver.id,
    shift: [seconds(driver.starts_at), seconds(driver.ends_at)],
    start: ends[index]?.start ?? depotPlace,
    end: ends[index]?.end ?? depotPlace,
    capacityKg: driver.vehicle_capacity_kg,
    maxStops: mostStops(driver.vehicle_max_stops, isEven ? Math.ceil(mean * unevenness) : null),
    skills: driver.vehicle_skills,
    fixedCost: 0,
  }));
  return { problem: { matrix, stops, vehicles, costs }, origin, packages: placed, unplaced };
}

/** Locked stops stay with their driver, at their place among the stops that can be driven to. */
function locksOf(
  replanned: readonly PlannedRoute[],
  drivers: DriverOfDay[],
  placed: PackageRow[],
): Map<string, Pick<Stop, 'locked'>> {
  const isPlaced = new Set(placed.map(({ id }) => id));
  const locks = new Map<string, Pick<Stop, 'locked'>>();
  const taken = new Set<string>();
  for (const { driverId, stopIds, lockedIds } of replanned) {
    const vehicle = drivers.find(({ id }) => id === driverId)?.id;
    if (vehicle === undefined || taken.has(vehicle)) continue;
    taken.add(vehicle);
    for (const [position, id] of stopIds.filter((stop) => isPlaced.has(stop)).entries())
      if (lockedIds.includes(id)) locks.set(id, { locked: { vehicle, position } });
  }
  return locks;
}

const mostStops = (own: number | null, even: number | null): number | null =>
  own === null || even === null ? (own ?? even) : Math.min(own, even);

/** As it is searched: whoever locked a stop decided that, even where its window cannot be kept. */
export const withFreeLocks = (problem: Problem): Problem => ({
  ...problem,
  stops: problem.stops.map((stop) => (stop.locked ? { ...stop, windows: [] } : stop)),
});

/** Who found a plan, and by which driving times. */
export type Engines = Pick<Plan, 'travelTimes' | 'optimizer' | 'missed'>;

/** What a solution says, in ids and instants. */
export function resultOf(
  { problem, origin, unplaced }: DayProblem,
  solution: Solution,
  beside: Pick<PlanResult, 'split' | 'present'>,
  by: Engines,
): PlanResult {
  const instant = instantsFrom(origin);
  const byId = new Map(problem.stops.map((stop) => [stop.id, stop]));
  const vehicles = new Map(problem.vehicles.map((vehicle) => [vehicle.id, vehicle]));
  const faults = ({ vehicle: id, visits, arrival }: Solution['routes'][number]): PlanFault[] => {
    const vehicle = vehicles.get(id);
    const timed = visits.flatMap(({ stop: stopId, arrival: at }) => {
      const stop = byId.get(stopId);
      return stop ? [{ stop, arrival: at }] : [];
    });
    return vehicle ? faultsOf({ ...vehicle, maxStops: null }, timed, arrival) : [];
  };
  const routes = solution.routes.map((route): StoredRoute => ({
    driverId: route.vehicle,
    routeId: null,
    startsAt: instant(route.departure),
    endsAt: instant(route.arrival),
    metres: route.metres,
    seconds: route.seconds,
    kilograms: grams(route.kilograms),
    faults: faults(route),
    stops: route.visits.map(({ stop, arrival }) => ({ packageId: stop, arrivesAt: instant(arrival) })),
  }));
  const leftOut = [
    ...unplaced.map((packageId) => ({ packageId, reason: 'no_place' as PlanReason })),
    ...solution.unassigned.map(({ stop, reason }) => ({ packageId: stop, reason })),
  ];
  return { routes, unassigned: leftOut, cost: solution.cost, ...beside, ...by };
}

/** The timetable of stops in a given order, whatever it breaks. */
interface Drive {
  departure: number;
  visits: { stop: Stop; arrival: number }[];
  arrival: number;
  metres: number;
  seconds: number;
  late: number;
}

/** Times stops in their order. Nobody waits at the first stop. */
function drive(matrix: Matrix, vehicle: Vehicle, stops: readonly Stop[]): Drive {
  const [earliest] = vehicle.shift;
  const [first] = stops;
  const toFirst = first ? (matrix.seconds[vehicle.start * matrix.size + first.place] ?? 0) : 0;
  const departure = Math.max(earliest, (first?.windows[0]?.[0] ?? earliest) - toFirst);
  const timed: Drive = { departure, visits: [], arrival: departure, metres: 0, seconds: 0, late: 0 };
  let place = vehicle.start;
  const go = (to: number) => {
    const arc = place * matrix.size + to;
    timed.metres += matrix.metres[arc] ?? 0;
    timed.seconds += matrix.seconds[arc] ?? 0;
    timed.arrival += matrix.seconds[arc] ?? 0;
    place = to;
  };
  for (const stop of stops) {
    go(stop.place);
    timed.visits.push({ stop, arrival: timed.arrival });
    const [window] = stop.windows;
    if (window && timed.arrival > window[1]) timed.late++;
    else if (window) timed.arrival = Math.max(timed.arrival, window[0]);
    timed.arrival += stop.serviceSeconds;
  }
  if (stops.length > 0 && vehicle.end !== null) go(vehicle.end);
  return timed;
}

/** What a route breaks. */
function faultsOf(
  { shift, capacityKg, maxStops, skills }: Vehicle,
  visits: readonly { stop: Stop; arrival: number }[],
  arrival: number,
): PlanFault[] {
  const kilograms = visits.reduce((sum, { stop }) => sum + stop.kilograms, 0);
  const faults: PlanFault[] = visits.flatMap(({ stop, arrival: at }) => {
    const [window] = stop.windows;
    const isWarm = !stop.skills.every((skill) => skills.includes(skill));
    return [
      ...(window && at > window[1]
        ? [{ reason: 'window' as const, packageId: stop.id, by: Math.round(at - window[1]) }]
        : []),
      ...(isWarm ? [{ reason: 'skill' as const, packageId: stop.id, by: 1 }] : []),
    ];
  });
  const over = (reason: PlanFault['reason'], by: number) => by > 0 && faults.push({ reason, packageId: null, by });
  over('shift', Math.round(arrival - shift[1]));
  over('capacity', Math.round((kilograms - (capacityKg ?? Infinity)) * 1000) / 1000);
  over('too_many_stops', visits.length - (maxStops ?? Infinity));
  return faults;
}

/** A driver's route in an order that somebody chose. */
export function routeByHand({ problem, origin }: DayProblem, packageIds: readonly string[]): StoredRoute {
  const [vehicle] = problem.vehicles;
  if (!vehicle) throw new Error('the problem has no vehicle');
  const byId = new Map(problem.stops.map((stop) => [stop.id, stop]));
  const stops = packageIds.flatMap((id) => byId.get(id) ?? []);
  const { departure, visits, arrival, metres, seconds } = drive(problem.matrix, vehicle, stops);
  const instant = instantsFrom(origin);
  return {
    driverId: vehicle.id,
    routeId: null,
    startsAt: instant(departure),
    endsAt: instant(arrival),
    metres,
    seconds,
    kilograms: grams(stops.reduce((sum, { kilograms }) => sum + kilograms, 0)),
    stops: visits.map(({ stop, arrival: at }) => ({ packageId: stop.id, arrivesAt: instant(at) })),
    faults: faultsOf(vehicle, visits, arrival),
  };
}

/** The cost of routes, in the units of the search. */
export const costOf = (routes: readonly Pick<StoredRoute, 'metres' | 'seconds'>[], leftOut: number): number =>
  routes.reduce((sum, { metres, seconds }) => sum + metres * costs.perMetre + seconds * costs.perSecond, 0) +
  leftOut * penalty;

/** What the same packages cost if they are split evenly by address, as the plan of somebody who has no map. */
export function evenSplit({ problem, packages }: DayProblem): Plan['split'] {
  const { matrix, stops, vehicles } = problem;
  const byId = new Map(stops.map((stop) => [stop.id, stop]));
  const runs = splitEvenly(inAddressOrder(packages), vehicles.length);
  const totals = { stops: packages.length, metres: 0, seconds: 0, late: 0 };
  for (const [index, vehicle] of vehicles.entries()) {
    const run = (runs[index] ?? []).flatMap(({ row }) => byId.get(row.id) ?? []);
    const { metres, seconds, late } = drive(matrix, vehicle, run);
    totals.metres += metres;
    totals.seconds += seconds;
    totals.late += late;
  }
  return totals;
}

/** The routes that are planned anew as they are now, from their own start, by the same driving times. */
export function presentRoutes({ problem, origin }: DayProblem, replanned: readonly PlannedRoute[]): Plan['present'] {
  const { matrix, stops, vehicles } = problem;
  const byId = new Map(stops.map((stop) => [stop.id, stop]));
  const instant = instantsFrom(origin);
  return replanned.map(({ id, driverId, startsAt, stopIds }) => {
    const own = vehicles.find((vehicle) => vehicle.id === driverId);
    const from = startsAt ? (startsAt.getTime() - origin.getTime()) / 1000 : (own?.shift[0] ?? 0);
    const vehicle: Vehicle = {
      ...(own ?? { ...anybody, id }),
      shift: [from, Infinity],
    };
    const there = stopIds.flatMap((stopId) => byId.get(stopId) ?? []);
    const { metres, seconds, late, arrival } = drive(matrix, vehicle, there);
    return {
      routeId: id,
      driverId,
      stops: stopIds.length,
      metres,
      seconds,
      late,
      endsAt: there.length > 0 ? instant(arrival) : null,
    };
  });
}

/** Drives from the depot and back. */
const anybody = {
  start: depotPlace,
  end: depotPlace,
  capacityKg: null,
  maxStops: null,
  skills: [],
  fixedCost: 0,
};

const instantsFrom = (origin: Date) => (seconds: number) =>
  new Date(origin.getTime() + Math.round(seconds) * 1000).toISOString();
const grams = (kilograms: number) => Math.round(kilograms * 1000) / 1000;
