import type { Problem, Route, Solution, Stop, Vehicle, Visit } from '../../server/src/optimizer/problem.ts';

/** Drives a route from the beginning of the shift. @returns null if it is not feasible */
function drive({ matrix, costs }: Problem, vehicle: Vehicle, stops: readonly Stop[]): Route | null {
  let place = vehicle.start;
  let clock = vehicle.shift[0];
  let seconds = 0;
  let metres = 0;
  let kilograms = 0;
  const go = (to: number) => {
    const arc = place * matrix.size + to;
    seconds += matrix.seconds[arc] ?? 0;
    metres += matrix.metres[arc] ?? 0;
    clock += matrix.seconds[arc] ?? 0;
    place = to;
  };
  const visits: Visit[] = [];
  for (const stop of stops) {
    go(stop.place);
    const arrival = clock;
    const window = stop.windows.find(([, to]) => arrival <= to);
    if (stop.windows.length > 0 && !window) return null;
    const begin = Math.max(arrival, window?.[0] ?? arrival);
    clock = begin + stop.serviceSeconds;
    kilograms += stop.kilograms;
    visits.push({ stop: stop.id, arrival, begin, departure: clock });
  }
  if (vehicle.end !== null) go(vehicle.end);
  const fits = kilograms <= (vehicle.capacityKg ?? Infinity) && stops.length <= (vehicle.maxStops ?? Infinity);
  if (!fits || clock > vehicle.shift[1]) return null;
  const cost = costs.perSecond * seconds + costs.perMetre * metres + vehicle.fixedCost;
  return { vehicle: vehicle.id, departure: vehicle.shift[0], visits, arrival: clock, seconds, metres, kilograms, cost };
}

const hasSkills = (vehicle: Vehicle, stop: Stop) => stop.skills.every((skill) => vehicle.skills.includes(skill));

function solutionOf(problem: Problem, orders: Map<Vehicle, Stop[]>): Solution {
  const routes = [...orders].flatMap(([vehicle, stops]) =>
    stops.length > 0 ? (drive(problem, vehicle, stops) ?? []) : [],
  );
  const assigned = new Set([...orders.values()].flat());
  const left = problem.stops.filter((stop) => !assigned.has(stop));
  const sum = (costs: number[]) => costs.reduce((total, cost) => total + cost, 0);
  return {
    routes,
    unassigned: left.map(({ id }) => ({ stop: id, reason: 'shift' })),
    cost: sum(routes.map(({ cost }) => cost)) + sum(left.map(({ penalty }) => penalty)),
  };
}

/** Inserts each stop, in the order given, where it costs least at that moment. */
export function insertGreedily(problem: Problem): Solution {
  const orders = new Map(problem.vehicles.map((vehicle) => [vehicle, [] as Stop[]]));
  const costs = new Map<Vehicle, number>();
  for (const stop of problem.stops) {
    let best: { vehicle: Vehicle; order: Stop[]; cost: number; added: number } | null = null;
    for (const [vehicle, order] of orders) {
      if (!hasSkills(vehicle, stop)) continue;
      for (let position = 0; position <= order.length; position++) {
        const candidate = order.toSpliced(position, 0, stop);
        const cost = drive(problem, vehicle, candidate)?.cost;
        if (cost === undefined) continue;
        const added = cost - (costs.get(vehicle) ?? 0);
        if (!best || added < best.added) best = { vehicle, order: candidate, cost, added };
      }
    }
    if (!best) continue;
    orders.set(best.vehicle, best.order);
    costs.set(best.vehicle, best.cost);
  }
  return solutionOf(problem, orders);
}

/** Fills one vehicle after the other, each with the nearest stop that it can still serve. */
export function visitNearest(problem: Problem): Solution {
  const left = new Set(problem.stops);
  const orders = new Map<Vehicle, Stop[]>();
  for (const vehicle of problem.vehicles) {
    const order: Stop[] = [];
    for (;;) {
      const here = (order.at(-1)?.place ?? vehicle.start) * problem.matrix.size;
      const secondsTo = (stop: Stop) => problem.matrix.seconds[here + stop.place] ?? 0;
      const next = [...left]
        .filter((stop) => hasSkills(vehicle, stop))
        .toSorted((a, b) => secondsTo(a) - secondsTo(b))
        .find((stop) => drive(problem, vehicle, [...order, stop]));
      if (!next) break;
      order.push(next);
      left.delete(next);
    }
    orders.set(vehicle, order);
  }
  return solutionOf(problem, orders);
}
