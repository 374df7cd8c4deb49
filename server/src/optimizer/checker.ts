import type { Problem, Route, Solution, Stop, Vehicle } from './problem.ts';

/** What is wrong with a solution. `of` names the stop or the vehicle, or the whole solution. */
export interface Fault {
  code: FaultCode;
  of: string;
  message: string;
}

export type FaultCode =
  | 'unknown_vehicle'
  | 'vehicle_twice'
  | 'empty_route'
  | 'unknown_stop'
  | 'stop_twice'
  | 'stop_missing'
  | 'left_before_shift'
  | 'back_after_shift'
  | 'wrong_arrival'
  | 'begun_before_arrival'
  | 'outside_windows'
  | 'wrong_departure'
  | 'over_capacity'
  | 'too_many_stops'
  | 'skill_missing'
  | 'lock_broken'
  | 'wrong_total'
  | 'wrong_cost';

/** Rounding errors of long sums. */
const differs = (claimed: number, counted: number) => !(Math.abs(claimed - counted) <= 1e-6 * (1 + Math.abs(counted)));

/**
 * Recounts a solution from the problem alone. It shares no code with the solver, so that an error in one does not hide in the other; every
 * answer of the optimizer passes it, whichever engine it comes from.
 * @returns every fault; none for a correct solution
 */
export function checkSolution(problem: Problem, solution: Solution): Fault[] {
  const faults: Fault[] = [];
  const report = (code: FaultCode, of: string, message: string) => void faults.push({ code, of, message });
  const stops = new Map(problem.stops.map((stop) => [stop.id, stop]));
  const vehicles = new Map(problem.vehicles.map((vehicle) => [vehicle.id, vehicle]));
  const lockedTo = Map.groupBy(
    problem.stops.filter(({ locked }) => locked !== undefined),
    ({ locked }) => locked?.vehicle,
  );

  const used = new Set<string>();
  const seen = new Set<string>();
  const see = (id: string) => {
    if (!stops.has(id)) report('unknown_stop', id, 'the problem has no such stop');
    else if (seen.has(id)) report('stop_twice', id, 'it is there twice');
    seen.add(id);
  };
  let cost = 0;
  for (const route of solution.routes) {
    const vehicle = vehicles.get(route.vehicle);
    for (const visit of route.visits) see(visit.stop);
    if (!vehicle) {
      report('unknown_vehicle', route.vehicle, 'the problem has no such vehicle');
      continue;
    }
    if (used.has(vehicle.id)) report('vehicle_twice', vehicle.id, 'it has two routes');
    used.add(vehicle.id);
    if (route.visits.length === 0) report('empty_route', vehicle.id, 'its route has no stop');
    cost += checkRoute(problem, vehicle, route, stops, report);
    checkLocks(vehicle, route, stops, report);
  }
  for (const [vehicle, locked] of lockedTo)
    for (const { id } of locked)
      if (!solution.routes.some((route) => route.vehicle === vehicle && route.visits.some(({ stop }) => stop === id)))
        report('lock_broken', id, `it is not on vehicle ${vehicle}`);

  for (const { stop } of solution.unassigned) {
    see(stop);
    cost += stops.get(stop)?.penalty ?? 0;
  }
  for (const { id } of problem.stops)
    if (!seen.has(id)) report('stop_missing', id, 'it is neither on a route nor unassigned');
  if (differs(solution.cost, cost)) report('wrong_cost', 'solution', `${solution.cost} instead of ${cost}`);
  return faults;
}

type Report = (code: FaultCode, of: string, message: string) => void;

/** @returns the cost of the route */
function checkRoute(
  { matrix, costs }: Problem,
  vehicle: Vehicle,
  route: Route,
  stops: Map<string, Stop>,
  report: Report,
): number {
  let seconds = 0;
  let metres = 0;
  let kilograms = 0;
  let place = vehicle.start;
  let clock = route.departure;
  const drive = (to: number) => {
    const arc = place * matrix.size + to;
    seconds += matrix.seconds[arc] ?? Number.NaN;
    metres += matrix.metres[arc] ?? Number.NaN;
    clock += matrix.seconds[arc] ?? Number.NaN;
    place = to;
  };
  const frozen = frozenStops(vehicle, route, stops);
  const early = (time: number, than: number) => time < than && differs(time, than);

  if (early(route.departure, vehicle.shift[0])) {
    report('left_before_shift', vehicle.id, `it leaves at ${route.departure}, before ${vehicle.shift[0]}`);
  }
  for (const [position, visit] of route.visits.entries()) {
    const stop = stops.get(visit.stop);
    if (!stop) continue;
    drive(stop.place);
    if (differs(visit.arrival, clock)) report('wrong_arrival', stop.id, `${visit.arrival} instead of ${clock}`);
    if (early(visit.begin, visit.arrival)) {
      report('begun_before_arrival', stop.id, `begun at ${visit.begin}, before the arrival at ${visit.arrival}`);
    }
    const within = stop.windows.some(([from, to]) => !early(visit.begin, from) && !early(to, visit.begin));
    if (stop.windows.length > 0 && !within && position >= frozen) {
      report('outside_windows', stop.id, `begun at ${visit.begin}, in none of its windows`);
    }
    if (differs(visit.departure, visit.begin + stop.serviceSeconds)) {
      report('wrong_departure', stop.id, `${visit.departure} instead of ${visit.begin + stop.serviceSeconds}`);
    }
    clock = visit.departure;
    kilograms += stop.kilograms;
    const missing = stop.skills.filter((skill) => !vehicle.skills.includes(skill));
    if (missing.length > 0 && !stop.locked) {
      report('skill_missing', stop.id, `vehicle ${vehicle.id} has no ${missing.join(', ')}`);
    }
  }
  if (vehicle.end !== null) drive(vehicle.end);

  if (differs(route.arrival, clock)) report('wrong_arrival', vehicle.id, `${route.arrival} instead of ${clock}`);
  if (early(vehicle.shift[1], clock)) {
    report('back_after_shift', vehicle.id, `it is back at ${clock}, after ${vehicle.shift[1]}`);
  }
  if (early(vehicle.capacityKg ?? Infinity, kilograms)) {
    report('over_capacity', vehicle.id, `${kilograms} kg of ${vehicle.capacityKg}`);
  }
  if (route.visits.length > (vehicle.maxStops ?? Infinity)) {
    report('too_many_stops', vehicle.id, `${route.visits.length} of ${vehicle.maxStops}`);
  }
  const cost = costs.perSecond * seconds + costs.perMetre * metres + (route.visits.length > 0 ? vehicle.fixedCost : 0);
  const counted = { seconds, metres, kilograms };
  for (const name of ['seconds', 'metres', 'kilograms'] as const)
    if (differs(route[name], counted[name])) {
      report('wrong_total', vehicle.id, `${route[name]} ${name} instead of ${counted[name]}`);
    }
  if (differs(route.cost, cost)) report('wrong_cost', vehicle.id, `${route.cost} instead of ${cost}`);
  return cost;
}

/** The number of stops at the beginning of a route whose order nobody can change. */
function frozenStops(vehicle: Vehicle, route: Route, stops: Map<string, Stop>): number {
  const free = route.visits.findIndex(({ stop }, position) => {
    const locked = stops.get(stop)?.locked;
    return locked?.vehicle !== vehicle.id || locked.position !== position;
  });
  return free === -1 ? route.visits.length : free;
}

function checkLocks(vehicle: Vehicle, route: Route, stops: Map<string, Stop>, report: Report): void {
  const free = route.visits.findLastIndex(({ stop }) => !stops.get(stop)?.locked);
  for (const [position, { stop }] of route.visits.entries()) {
    const locked = stops.get(stop)?.locked;
    if (!locked || locked.vehicle !== vehicle.id) continue;
    const inPlace = position === locked.position || (position < locked.position && free < position);
    if (!inPlace) report('lock_broken', stop, `it is at position ${position} instead of ${locked.position}`);
  }
}
