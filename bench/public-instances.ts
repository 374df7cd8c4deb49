import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem, Stop, Vehicle } from '../server/src/optimizer/problem.ts';

/** Where public instances are. They are not ours to distribute. */
const folder = process.env.ROUTING_INSTANCES;

export interface Instance {
  name: string;
  problem: Problem;
  /** The least cost that anybody has published. */
  bestKnown: number;
}

/** Where all costs are integers. Solomon's are in tenths, as the convention truncates distances to one decimal. */
const bestKnown: Record<string, number> = {
  C101: 8273,
  C201: 5891,
  R101: 16377,
  R104: 9715,
  R201: 11432,
  R208: 7010,
  RC101: 16198,
  RC201: 12618,
  RC204: 7835,
  berlin52: 7542,
  kroA100: 21282,
  ch150: 6528,
  a280: 2579,
};

export type Family = 'solomon' | 'cvrp' | 'tsp';

/** @returns the instances of a family that are there */
export function readInstances(family: Family): Instance[] {
  if (!folder || !existsSync(folder)) return [];
  const extension = { solomon: '.txt', cvrp: '.vrp', tsp: '.tsp' }[family];
  return readdirSync(folder)
    .filter((file) => file.endsWith(extension))
    .map((file) => {
      const name = file.slice(0, -extension.length);
      const text = readFileSync(join(folder, file), 'utf8');
      const cost = bestKnown[name] ?? Number(/\d+/.exec(readFileSync(join(folder, `${name}.cost`), 'utf8'))?.[0]);
      return { name, problem: { solomon: readSolomon, cvrp: readCvrp, tsp: readTsp }[family](text), bestKnown: cost };
    });
}

/** Leaving out a stop is never worth it. */
const penalty = 1_000_000;

const aStop = (place: number): Stop => ({
  id: String(place),
  place,
  serviceSeconds: 0,
  windows: [],
  kilograms: 0,
  skills: [],
  penalty,
});
const aVehicle = (index: number): Vehicle => ({
  id: String(index),
  shift: [0, Infinity],
  start: 0,
  end: 0,
  capacityKg: null,
  maxStops: null,
  skills: [],
  fixedCost: 0,
});

function problemOf(
  points: (readonly [number, number])[],
  distance: (straight: number) => number,
  vehicles: Vehicle[],
  stops: Stop[],
): Problem {
  const size = points.length;
  const seconds = new Float64Array(size * size);
  for (const [from, a] of points.entries())
    for (const [to, b] of points.entries()) seconds[from * size + to] = distance(Math.hypot(a[0] - b[0], a[1] - b[1]));
  return { matrix: { size, seconds, metres: seconds }, costs: { perSecond: 1, perMetre: 0 }, vehicles, stops };
}

/** Rows of numbers between two headings. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((row) => row.length > 1 && row.every(Number.isFinite));

function readSolomon(text: string): Problem {
  const [fleet = [], ...rows] = rowsOf(text);
  const [count = 0, capacityKg = 0] = fleet;
  const tenths = (amount = 0) => amount * 10;
  const stops = rows.slice(1).map(([id = 0, , , kilograms = 0, ready, due, service]) => ({
    ...aStop(id),
    kilograms,
    serviceSeconds: tenths(service),
    windows: [[tenths(ready), tenths(due)] as const],
  }));
  const shift = [0, tenths(rows[0]?.[5])] as const;
  const vehicles = Array.from({ length: count }, (_, index) => ({ ...aVehicle(index), capacityKg, shift }));
  const points = rows.map(([, x = 0, y = 0]) => [x, y] as const);
  return problemOf(points, (straight) => Math.floor(straight * 10 + 1e-9), vehicles, stops);
}

const pointsOf = (text: string) => {
  const section = /NODE_COORD_SECTION([\s\S]*?)(?:DEMAND_SECTION|EOF|$)/.exec(text)?.[1] ?? '';
  return rowsOf(section).map(([, x = 0, y = 0]) => [x, y] as const);
};

/** With more vehicles than their least number: how many are used is free. */
function readCvrp(text: string): Problem {
  const capacityKg = Number(/CAPACITY\s*:\s*(\d+)/.exec(text)?.[1]);
  const demands = rowsOf(/DEMAND_SECTION([\s\S]*?)DEPOT_SECTION/.exec(text)?.[1] ?? '').map(([, demand = 0]) => demand);
  const stops = demands.slice(1).map((kilograms, index) => ({ ...aStop(index + 1), kilograms }));
  const count = Math.ceil(demands.reduce((sum, demand) => sum + demand, 0) / capacityKg) + 5;
  const vehicles = Array.from({ length: count }, (_, index) => ({ ...aVehicle(index), capacityKg }));
  return problemOf(pointsOf(text), Math.round, vehicles, stops);
}

function readTsp(text: string): Problem {
  const points = pointsOf(text);
  const stops = points.slice(1).map((_, index) => aStop(index + 1));
  return problemOf(points, Math.round, [aVehicle(0)], stops);
}
