/**
 * The contract of the optimizer: the vehicle routing problem that it solves, and its solution. Times are seconds since one origin of the
 * caller's choice, such as midnight at the depot.
 */
export interface Problem {
  matrix: Matrix;
  stops: readonly Stop[];
  vehicles: readonly Vehicle[];
  /** The objective: the sum over all arcs, plus the fixed costs of used vehicles and the penalties of unassigned stops. */
  costs: { perSecond: number; perMetre: number };
}

/** Driving times and distances between places, row by row: from `i` to `j` at `i * size + j`. They need not be symmetric. */
export interface Matrix {
  size: number;
  seconds: Float64Array;
  metres: Float64Array;
}

/** From and to, both included. */
export type TimeWindow = readonly [number, number];

export interface Stop {
  id: string;
  /** Row and column in the matrix. Several stops may share a place. */
  place: number;
  serviceSeconds: number;
  /** Service begins within one of them; the driver may wait. Empty: at any time. */
  windows: readonly TimeWindow[];
  kilograms: number;
  /** The vehicle must have all of them. */
  skills: readonly string[];
  /**
   * The cost of leaving it out. It should exceed any detour: the search decides about each stop by itself, and does not see that several
   * are worth a detour together.
   */
  penalty: number;
  /**
   * It stays on this vehicle, with exactly `position` stops before it; with fewer only if no stop that is free to move comes after it.
   * Locks at positions 0, 1, 2, … are the frozen beginning of a route under way: nothing is inserted there, and its windows do not
   * bind, because nobody can change them any more. The vehicle needs none of a locked stop's skills: whoever locked it decided that.
   */
  locked?: { vehicle: string; position: number };
}

export interface Vehicle {
  id: string;
  /** Leaves `start` and is back at `end` within it. Infinity: without an end. */
  shift: TimeWindow;
  /** A place of the matrix. */
  start: number;
  /** A place of the matrix. null: the route ends at its last stop. */
  end: number | null;
  /** null: without a limit. */
  capacityKg: number | null;
  maxStops: number | null;
  skills: readonly string[];
  /** The cost of using it at all. */
  fixedCost: number;
}

export interface Solution {
  /** Only of vehicles that are used. */
  routes: Route[];
  unassigned: Unassigned[];
  cost: number;
}

export interface Route {
  vehicle: string;
  /** When it leaves its start: as late as the first stop allows. */
  departure: number;
  visits: Visit[];
  /** At its end; without one, the departure from the last stop. */
  arrival: number;
  /** Driving time and distance. */
  seconds: number;
  metres: number;
  kilograms: number;
  /** Of its arcs, with the fixed cost. */
  cost: number;
}

export interface Visit {
  stop: string;
  arrival: number;
  /** Of the service: later than the arrival if the driver has to wait. */
  begin: number;
  departure: number;
}

export interface Unassigned {
  stop: string;
  reason: UnassignedReason;
}

/**
 * Why a stop was left out, in the order in which they are looked for:
 * - `skill`: no vehicle has what it needs.
 * - `capacity`: it is too heavy, or the vehicles that it fits are full.
 * - `too_far`: no shift is long enough to drive there and back, or the detour costs more than its penalty.
 * - `window`: its windows cannot be met.
 * - `too_many_stops`: the vehicles that it fits have as many stops as they may.
 * - `shift`: the shifts are used up.
 */
export type UnassignedReason = 'skill' | 'capacity' | 'too_far' | 'window' | 'too_many_stops' | 'shift';

/** The problem contradicts itself, or its locks cannot be kept. */
export class InvalidProblem extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The routing problem is invalid: ${faults.slice(0, 5).join('; ')}`);
    this.name = 'InvalidProblem';
    this.faults = faults;
  }
}

/** @returns one sentence for each contradiction; none if the problem can be solved, except for locks that cannot be kept together */
export function faultsOfProblem({ matrix, stops, vehicles, costs }: Problem): string[] {
  const faults: string[] = [];
  const places = matrix.size;
  const isPlace = (place: number) => Number.isInteger(place) && place >= 0 && place < places;
  const isAmount = (amount: number) => Number.isFinite(amount) && amount >= 0;
  for (const unit of ['seconds', 'metres'] as const) {
    if (matrix[unit].length !== places * places) faults.push(`the matrix of ${unit} is not ${places} by ${places}`);
    if (!matrix[unit].every(isAmount)) faults.push(`the matrix of ${unit} has a negative or infinite element`);
  }
  for (const [name, cost] of Object.entries(costs))
    if (!isAmount(cost)) faults.push(`${name} is negative or not a number`);

  for (const { id, place, windows, serviceSeconds, kilograms, penalty } of stops) {
    if (!isPlace(place)) faults.push(`stop ${id} has no place in the matrix`);
    for (const [name, amount] of Object.entries({ serviceSeconds, kilograms, penalty }))
      if (!isAmount(amount)) faults.push(`stop ${id} has a ${name} that is negative or not a number`);
    if (!windows.every(([from, to]) => from <= to)) faults.push(`stop ${id} has a window that ends before it begins`);
  }
  for (const { id, start, end, shift, capacityKg, maxStops, fixedCost } of vehicles) {
    if (!isPlace(start) || (end !== null && !isPlace(end))) faults.push(`vehicle ${id} has no place in the matrix`);
    if (!Number.isFinite(shift[0]) || !(shift[0] <= shift[1])) faults.push(`vehicle ${id} has no shift`);
    for (const amount of [capacityKg ?? 0, maxStops ?? 0, fixedCost])
      if (!isAmount(amount)) faults.push(`vehicle ${id} has a limit or a cost that is negative or not a number`);
  }

  const repeated = (ids: string[]) => [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const vehicleIds = new Set(vehicles.map(({ id }) => id));
  const locks = stops.flatMap(({ id, locked }) => (locked ? [{ id, ...locked }] : []));
  if (new Set(stops.map(({ id }) => id)).size < stops.length) {
    faults.push(...repeated(stops.map(({ id }) => id)).map((id) => `two stops are named ${id}`));
  }
  if (vehicleIds.size < vehicles.length) {
    faults.push(...repeated(vehicles.map(({ id }) => id)).map((id) => `two vehicles are named ${id}`));
  }
  for (const { id, vehicle, position } of locks) {
    if (!vehicleIds.has(vehicle)) faults.push(`stop ${id} is locked to vehicle ${vehicle}, which does not exist`);
    if (!Number.isInteger(position) || position < 0) faults.push(`stop ${id} is locked to no position`);
  }
  const positions = locks.map(({ vehicle, position }) => `position ${position} of vehicle ${vehicle}`);
  faults.push(...repeated(positions).map((position) => `two stops are locked to ${position}`));
  return faults;
}
