import { skillsFor, splitEvenly, type Plan, type PlanReason } from '@waybill/contract';
import type { Matrix, Problem, Solution, Stop, Vehicle } from '../optimizer/problem.ts';
import type { PackageRow } from '../packages/row.ts';
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
 */
export function dayProblem(day: DayPlaces, matrix: Matrix, drivers: DriverOfDay[], isEven: boolean): DayProblem {
  const { placed, ends, unplaced } = day;
  const origin = new Date(Math.min(...drivers.map(({ starts_at: at }) => at.getTime())));
  const seconds = (time: Date) => (time.getTime() - origin.getTime()) / 1000;
  const service = serviceTimes(day.points.slice(1, placed.length + 1));
  const mean = placed.length / drivers.length;
  const stops = placed.map((pkg, index): Stop => ({
    id: pkg.id,
    place: index + 1,
    serviceSeconds: service[index] ?? 0,
    windows: pkg.window_from && pkg.window_to ? [[seconds(pkg.window_from), seconds(pkg.window_to)]] : [],
    kilograms: pkg.weight,
    skills: skillsFor({ refrigerated: pkg.handling_refrigerated }),
    penalty,
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

const mostStops = (own: number | null, even: number | null): number | null =>
  own === null || even === null ? (own ?? even) : Math.min(own, even);

/** Who found a plan, and by which driving times. */
export type Engines = Pick<Plan, 'travelTimes' | 'optimizer' | 'missed'>;

/** What a solution says, in ids and instants. */
export function resultOf(
  { origin, unplaced }: DayProblem,
  solution: Solution,
  split: Plan['split'],
  by: Engines,
): PlanResult {
  const instant = (seconds: number) => new Date(origin.getTime() + Math.round(seconds) * 1000).toISOString();
  const routes = solution.routes.map((route): StoredRoute => ({
    driverId: route.vehicle,
    routeId: null,
    startsAt: instant(route.departure),
    endsAt: instant(route.arrival),
    metres: route.metres,
    seconds: route.seconds,
    kilograms: Math.round(route.kilograms * 1000) / 1000,
    stops: route.visits.map(({ stop, arrival }) => ({ packageId: stop, arrivesAt: instant(arrival) })),
  }));
  const leftOut = [
    ...unplaced.map((packageId) => ({ packageId, reason: 'no_place' as PlanReason })),
    ...solution.unassigned.map(({ stop, reason }) => ({ packageId: stop, reason })),
  ];
  return { routes, unassigned: leftOut, cost: solution.cost, split, ...by };
}

/** What the same packages cost if they are split evenly by address, as the plan of somebody who has no map. */
export function evenSplit({ problem, packages }: DayProblem): Plan['split'] {
  const { matrix, stops, vehicles } = problem;
  const byId = new Map(stops.map((stop) => [stop.id, stop]));
  const runs = splitEvenly(inAddressOrder(packages), vehicles.length);
  const totals = { stops: packages.length, metres: 0, seconds: 0, late: 0 };
  for (const [index, vehicle] of vehicles.entries()) {
    const run = runs[index] ?? [];
    let place = vehicle.start;
    let clock = vehicle.shift[0];
    const drive = (to: number) => {
      const arc = place * matrix.size + to;
      totals.metres += matrix.metres[arc] ?? 0;
      totals.seconds += matrix.seconds[arc] ?? 0;
      clock += matrix.seconds[arc] ?? 0;
      place = to;
    };
    for (const { row } of run) {
      const stop = byId.get(row.id);
      if (!stop) continue;
      drive(stop.place);
      const [window] = stop.windows;
      if (window && clock > window[1]) totals.late++;
      else if (window) clock = Math.max(clock, window[0]);
      clock += stop.serviceSeconds;
    }
    if (run.length > 0 && vehicle.end !== null) drive(vehicle.end);
  }
  return totals;
}
