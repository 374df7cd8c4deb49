import type { Problem, Stop, TimeWindow, Vehicle } from '../optimizer/problem.ts';
import { createRandom } from '../optimizer/random.ts';

interface Size {
  seed: number;
  stops: number;
  vehicles: number;
}

/** The share of stops with windows, several windows, and a skill that only some vehicles have; from 0 to 1. */
interface Features {
  windows?: number;
  skills?: number;
  /** The kilograms of all stops, as a share of what the vehicles carry. */
  loadFactor?: number;
}

const hour = 3600;

/**
 * A delivery day in a town of 20 by 20 km: half of the stops around five centres, one depot, shifts from 8:00 to 18:00. Driving takes 1.35
 * times the straight line at some 28 km/h, and differs by direction. The same seed makes the same problem.
 */
export function createRoutingProblem(
  { seed, stops, vehicles }: Size,
  { windows = 0.4, skills = 0.1, loadFactor = 0.85 }: Features = {},
): Problem {
  const random = createRandom(seed);
  const between = (from: number, to: number) => from + random.next() * (to - from);
  const anywhere = () => [between(0, 20_000), between(0, 20_000)] as const;
  const centres = Array.from({ length: 5 }, anywhere);
  const points = Array.from({ length: stops }, () => {
    const centre = random.next() < 0.5 ? centres[random.below(centres.length)] : undefined;
    return centre ? ([centre[0] + between(-1500, 1500), centre[1] + between(-1500, 1500)] as const) : anywhere();
  });
  const places = [[10_000, 10_000] as const, ...points];
  const size = places.length;
  const metres = new Float64Array(size * size);
  const seconds = new Float64Array(size * size);
  for (const [from, a] of places.entries())
    for (const [to, b] of places.entries()) {
      if (from === to) continue;
      metres[from * size + to] = Math.round(1.35 * Math.hypot(a[0] - b[0], a[1] - b[1]) * between(1, 1.1));
      seconds[from * size + to] = Math.round((metres[from * size + to] ?? 0) / (28 / 3.6));
    }
  const someWindows = (): TimeWindow[] => {
    if (random.next() >= windows) return [];
    const from = hour * (8 + random.below(7));
    const first: TimeWindow = [from, from + 2 * hour];
    return random.next() < 0.2 ? [first, [from + 3 * hour, from + 4 * hour]] : [first];
  };
  const all = Array.from({ length: stops }, (_, index): Stop => ({
    id: `stop ${index}`,
    place: index + 1,
    serviceSeconds: 60 * (1 + random.below(4)),
    windows: someWindows(),
    kilograms: Math.round(between(0.5, 30) * 10) / 10,
    skills: random.next() < skills ? ['cooled'] : [],
    penalty: 4 * hour,
  }));
  const kilograms = all.reduce((sum, stop) => sum + stop.kilograms, 0);
  const fleet = Array.from({ length: vehicles }, (_, index): Vehicle => ({
    id: `vehicle ${index}`,
    shift: [8 * hour, 18 * hour],
    start: 0,
    end: 0,
    capacityKg: Math.ceil(kilograms / vehicles / loadFactor),
    maxStops: null,
    skills: index % 3 === 0 ? ['cooled'] : [],
    fixedCost: 600,
  }));
  return { matrix: { size, seconds, metres }, stops: all, vehicles: fleet, costs: { perSecond: 1, perMetre: 0 } };
}
