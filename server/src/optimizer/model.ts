import type { Problem, Stop, Vehicle } from './problem.ts';

/**
 * A problem in flat typed arrays. Stops are numbered as in the problem; as *nodes* of the matrices they are followed by the places where
 * vehicles start and end, and by one for routes without an end, which costs nothing to reach.
 */
export interface Model {
  problem: Problem;
  stops: number;
  vehicles: number;
  nodes: number;
  /** From a to b at `a * nodes + b`. */
  costFrom: Float64Array;
  timeFrom: Float64Array;
  /** From a to b at `b * nodes + a`, so that all ways to one node are neighbours in memory. */
  costTo: Float64Array;
  timeTo: Float64Array;
  /** Whether time can make an order infeasible: there is a window, or a shift that ends. */
  timed: boolean;
  service: Float64Array;
  kilograms: Float64Array;
  penalty: Float64Array;
  /** The beginning of the first window and the end of the last. */
  opens: Float64Array;
  closes: Float64Array;
  /** Of stops with several windows, sorted and apart from each other. */
  windows: (readonly (readonly [number, number])[] | null)[];
  /** Whether a vehicle has the skills for a stop: at `vehicle * stops + stop`. */
  allowed: Uint8Array;
  startNode: Int32Array;
  endNode: Int32Array;
  shiftFrom: Float64Array;
  shiftTo: Float64Array;
  capacity: Float64Array;
  maxStops: Int32Array;
  fixedCost: Float64Array;
  /** Vehicles of one kind are interchangeable while they are empty. */
  kind: Int32Array;
  /** The vehicle that a stop is locked to, or -1, and its position there. */
  lockedTo: Int32Array;
  lockPosition: Int32Array;
  /** The locked stops of each vehicle by position. */
  locks: readonly (readonly number[])[];
  /** How many of them are at its frozen beginning. */
  frozen: Int32Array;
}

export function createModel(problem: Problem): Model {
  const { stops, vehicles, matrix, costs } = problem;
  const vehicleIndex = new Map(vehicles.map(({ id }, index) => [id, index]));
  const lockedTo = Int32Array.from(stops, ({ locked }) => (locked ? (vehicleIndex.get(locked.vehicle) ?? -1) : -1));
  const lockPosition = Int32Array.from(stops, ({ locked }) => locked?.position ?? -1);
  const locks = vehicles.map((_, vehicle) =>
    stops
      .flatMap((_, stop) => (lockedTo[stop] === vehicle ? [stop] : []))
      .toSorted((a, b) => (lockPosition[a] ?? 0) - (lockPosition[b] ?? 0)),
  );
  const frozen = Int32Array.from(locks, (locked) => {
    const free = locked.findIndex((stop, index) => lockPosition[stop] !== index);
    return free === -1 ? locked.length : free;
  });

  const windows = stops.map((stop, index) => {
    const vehicle = lockedTo[index] ?? -1;
    const isFrozen = vehicle >= 0 && (lockPosition[index] ?? 0) < (frozen[vehicle] ?? 0);
    return windowsOf(stop, isFrozen);
  });
  const first = windows.map((list) => list[0]?.[0] ?? -Infinity);
  const last = windows.map((list) => list.at(-1)?.[1] ?? Infinity);

  const ends = [...new Set(vehicles.flatMap(({ start, end }) => (end === null ? [start] : [start, end])))];
  const places = [...stops.map(({ place }) => place), ...ends];
  const hasOpenEnd = vehicles.some(({ end }) => end === null);
  const nodes = places.length + (hasOpenEnd ? 1 : 0);
  const nodeOf = (place: number | null) => (place === null ? nodes - 1 : stops.length + ends.indexOf(place));

  const timeFrom = new Float64Array(nodes * nodes);
  const costFrom = new Float64Array(nodes * nodes);
  for (const [from, place] of places.entries())
    for (const [to, other] of places.entries()) {
      const arc = place * matrix.size + other;
      const seconds = matrix.seconds[arc] ?? 0;
      timeFrom[from * nodes + to] = seconds;
      costFrom[from * nodes + to] = costs.perSecond * seconds + costs.perMetre * (matrix.metres[arc] ?? 0);
    }

  const allowed = new Uint8Array(vehicles.length * stops.length);
  for (const [vehicle, { skills }] of vehicles.entries())
    for (const [stop, needs] of stops.entries())
      if (needs.skills.every((skill) => skills.includes(skill))) allowed[vehicle * stops.length + stop] = 1;

  const kinds = new Map<string, number>();
  const kindOf = (vehicle: Vehicle, index: number) => {
    const { start, end, shift, capacityKg, maxStops, fixedCost } = vehicle;
    const rest = locks[index]?.length ? index : vehicle.skills.toSorted();
    const key = JSON.stringify([start, end, shift, capacityKg, maxStops, fixedCost, rest]);
    const kind = kinds.get(key) ?? kinds.size;
    kinds.set(key, kind);
    return kind;
  };

  return {
    problem,
    stops: stops.length,
    vehicles: vehicles.length,
    nodes,
    costFrom,
    timeFrom,
    costTo: transposed(costFrom, nodes),
    timeTo: transposed(timeFrom, nodes),
    timed: stops.some((stop) => stop.windows.length > 0) || vehicles.some(({ shift }) => shift[1] < Infinity),
    service: Float64Array.from(stops, ({ serviceSeconds }) => serviceSeconds),
    kilograms: Float64Array.from(stops, ({ kilograms }) => kilograms),
    penalty: Float64Array.from(stops, ({ penalty }) => penalty),
    opens: Float64Array.from(first),
    closes: Float64Array.from(last),
    windows: windows.map((list) => (list.length > 1 ? list : null)),
    allowed,
    startNode: Int32Array.from(vehicles, ({ start }) => nodeOf(start)),
    endNode: Int32Array.from(vehicles, ({ end }) => nodeOf(end)),
    shiftFrom: Float64Array.from(vehicles, ({ shift }) => shift[0]),
    shiftTo: Float64Array.from(vehicles, ({ shift }) => shift[1]),
    capacity: Float64Array.from(vehicles, ({ capacityKg }) => capacityKg ?? Infinity),
    maxStops: Int32Array.from(vehicles, ({ maxStops }) => Math.min(maxStops ?? stops.length, stops.length)),
    fixedCost: Float64Array.from(vehicles, ({ fixedCost }) => fixedCost),
    kind: Int32Array.from(vehicles, kindOf),
    lockedTo,
    lockPosition,
    locks,
    frozen,
  };
}

/** @returns one sentence for each vehicle whose locked stops alone are infeasible */
export function faultsOfLocks(model: Model): string[] {
  return model.locks.flatMap((locked, vehicle) =>
    locked.length > 0 && !isFeasible(model, vehicle, locked)
      ? [`the locked stops of vehicle ${model.problem.vehicles[vehicle]!.id} cannot be kept together`]
      : [],
  );
}

/** Sorted, and merged where they touch. Those of a frozen stop do not bind: it may also begin later. */
function windowsOf({ windows }: Stop, isFrozen: boolean): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of windows.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  const last = merged.at(-1);
  if (isFrozen && last) last[1] = Infinity;
  return merged;
}

/** @returns the matrix itself if it is symmetric: one copy finds more room in the processor's caches than two */
function transposed(matrix: Float64Array, size: number): Float64Array {
  const result = new Float64Array(matrix.length);
  for (let from = 0; from < size; from++)
    for (let to = 0; to < size; to++) result[to * size + from] = matrix[from * size + to]!;
  return result.every((value, arc) => value === matrix[arc]) ? matrix : result;
}

/** @returns when service can begin after an arrival; Infinity if it cannot any more */
export function earliestBegin(model: Model, stop: number, arrival: number): number {
  if (arrival > model.closes[stop]!) return Infinity;
  const windows = model.windows[stop]!;
  if (windows === null) return Math.max(arrival, model.opens[stop]!);
  for (const [from, to] of windows) if (arrival <= to) return Math.max(arrival, from);
  return Infinity;
}

/** @returns the latest begin of service up to a bound; -Infinity if there is none */
export function latestBegin(model: Model, stop: number, bound: number): number {
  if (bound < model.opens[stop]!) return -Infinity;
  const windows = model.windows[stop]!;
  if (windows === null) return Math.min(bound, model.closes[stop]!);
  for (let index = windows.length - 1; index >= 0; index--) {
    const [from, to] = windows[index]!;
    if (bound >= from) return Math.min(bound, to);
  }
  return -Infinity;
}

/** What `isFeasible` leaves out of account, to find out what is in the way. */
export interface Ignored {
  capacity?: boolean;
  maxStops?: boolean;
  shift?: boolean;
  /** The windows of this stop. */
  windowsOf?: number;
}

/** @returns whether a vehicle can make these stops in this order; skills and the places of locks are not considered */
export function isFeasible(model: Model, vehicle: number, order: readonly number[], ignored: Ignored = {}): boolean {
  if (order.length > model.maxStops[vehicle]! && !ignored.maxStops) return false;
  let kilograms = 0;
  for (const stop of order) kilograms += model.kilograms[stop]!;
  if (kilograms > model.capacity[vehicle]! + 1e-9 && !ignored.capacity) return false;
  const { nodes, timeFrom, service } = model;
  let node = model.startNode[vehicle]!;
  let clock = model.shiftFrom[vehicle]!;
  for (const stop of order) {
    const arrival = clock + timeFrom[node * nodes + stop]!;
    const begin = ignored.windowsOf === stop ? arrival : earliestBegin(model, stop, arrival);
    clock = begin + service[stop]!;
    node = stop;
  }
  clock += timeFrom[node * nodes + model.endNode[vehicle]!]!;
  return clock < Infinity && (ignored.shift === true || clock <= model.shiftTo[vehicle]!);
}

/** The cost of a route; 0 if it is empty. */
export function costOfOrder(model: Model, vehicle: number, order: readonly number[]): number {
  if (order.length === 0) return 0;
  let cost = model.fixedCost[vehicle]!;
  let node = model.startNode[vehicle]!;
  for (const stop of [...order, model.endNode[vehicle]!]) {
    cost += model.costFrom[node * model.nodes + stop]!;
    node = stop;
  }
  return cost;
}

/** Puts the locked stops of a vehicle in their places among its free ones: at their positions, or at the end if there are fewer stops. */
export function withLocks(model: Model, vehicle: number, free: readonly number[]): number[] {
  const locks = model.locks[vehicle]!;
  const order: number[] = [];
  let nextFree = 0;
  let nextLock = 0;
  while (nextFree < free.length || nextLock < locks.length) {
    const lock = locks[nextLock];
    const isDue = lock !== undefined && (nextFree >= free.length || model.lockPosition[lock]! <= order.length);
    if (isDue) {
      order.push(lock);
      nextLock++;
    } else order.push(free[nextFree++]!);
  }
  return order;
}
