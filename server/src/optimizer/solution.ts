import { costOfOrder, earliestBegin, isFeasible, withLocks, type Ignored, type Model } from './model.ts';
import type { Route, Solution, Unassigned, UnassignedReason, Visit } from './problem.ts';
import type { Orders } from './sisr.ts';

/** A solution with its timetable, and a reason for each stop that is on no route. */
export function createSolution(model: Model, orders: Orders): Solution {
  const { problem } = model;
  const routes = orders.flatMap((order, vehicle) => (order.length > 0 ? [createRoute(model, vehicle, order)] : []));
  const assigned = new Set(orders.flat());
  const unassigned: Unassigned[] = problem.stops.flatMap(({ id }, stop) =>
    assigned.has(stop) ? [] : [{ stop: id, reason: reasonOf(model, orders, stop) }],
  );
  let cost = 0;
  for (const route of routes) cost += route.cost;
  for (const [stop, { penalty }] of problem.stops.entries()) if (!assigned.has(stop)) cost += penalty;
  return { routes, unassigned, cost };
}

function createRoute(model: Model, vehicle: number, order: readonly number[]): Route {
  const { problem, nodes, timeFrom } = model;
  const { id, start, end } = problem.vehicles[vehicle]!;
  const first = order[0]!;
  const firstArc = timeFrom[model.startNode[vehicle]! * nodes + first]!;
  const soonest = model.shiftFrom[vehicle]!;
  const firstBegin = earliestBegin(model, first, soonest + firstArc);
  // Nobody waits at the first stop; further waits are slack against delays.
  const departure = Math.max(soonest, firstBegin - firstArc);

  const visits: Visit[] = [];
  let seconds = 0;
  let metres = 0;
  let kilograms = 0;
  let clock = departure;
  let place = start;
  const drive = (to: number) => {
    const arc = place * problem.matrix.size + to;
    clock += problem.matrix.seconds[arc]!;
    seconds += problem.matrix.seconds[arc]!;
    metres += problem.matrix.metres[arc]!;
    place = to;
  };
  for (const stop of order) {
    const { id, place, serviceSeconds } = problem.stops[stop]!;
    drive(place);
    const arrival = clock;
    const begin = stop === first ? firstBegin : earliestBegin(model, stop, arrival);
    clock = begin + serviceSeconds;
    kilograms += model.kilograms[stop]!;
    visits.push({ stop: id, arrival, begin, departure: clock });
  }
  if (end !== null) drive(end);
  const cost = costOfOrder(model, vehicle, order);
  return { vehicle: id, departure, visits, arrival: clock, seconds, metres, kilograms, cost };
}

/** Finds what keeps a stop off every route: first of empty vehicles, then of those with their routes. */
function reasonOf(model: Model, orders: Orders, stop: number): UnassignedReason {
  const vehicles = [...orders.keys()].filter((vehicle) => model.allowed[vehicle * model.stops + stop] === 1);
  if (vehicles.length === 0) return 'skill';
  if (vehicles.every((vehicle) => model.kilograms[stop]! > model.capacity[vehicle]!)) return 'capacity';
  if (vehicles.every((vehicle) => model.maxStops[vehicle] === 0)) return 'too_many_stops';
  const fits = (routes: Orders, ignored: Ignored) =>
    vehicles.some((vehicle) => fitsInto(model, vehicle, routes[vehicle]!, stop, ignored));
  const loads = { capacity: true, maxStops: true };
  if (
    !fits(
      model.locks.map((locks) => [...locks]),
      { ...loads, windowsOf: stop },
    )
  )
    return 'too_far';
  if (
    !fits(
      model.locks.map((locks) => [...locks]),
      loads,
    )
  )
    return 'window';
  if (fits(orders, {})) return 'too_far';
  if (fits(orders, { capacity: true })) return 'capacity';
  if (fits(orders, { maxStops: true })) return 'too_many_stops';
  if (fits(orders, { windowsOf: stop })) return 'window';
  if (fits(orders, { shift: true })) return 'shift';
  // Several limits at once: the one that holds even where time does not count.
  if (!fits(orders, { maxStops: true, shift: true, windowsOf: stop })) return 'capacity';
  if (!fits(orders, { capacity: true, shift: true, windowsOf: stop })) return 'too_many_stops';
  return 'shift';
}

function fitsInto(model: Model, vehicle: number, order: readonly number[], stop: number, ignored: Ignored): boolean {
  const free = order.filter((other) => model.lockedTo[other] !== vehicle);
  const locked = order.length > free.length;
  const frozen = model.frozen[vehicle]!;
  for (let position = locked ? 0 : frozen; position <= free.length; position++) {
    const candidate = free.toSpliced(position, 0, stop);
    if (isFeasible(model, vehicle, locked ? withLocks(model, vehicle, candidate) : candidate, ignored)) return true;
  }
  return false;
}
