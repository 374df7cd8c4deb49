import type { Point } from './estimate.ts';

/** Time at a door, in s: parking and walking, and each package. */
const perDoor = 120;
const perPackage = 60;

/** The time that each of these packages takes at its door, in s. Packages of one place share the walk. */
export function serviceTimes(points: readonly Point[]): number[] {
  const keyOf = ({ lon, lat }: Point) => `${lon.toFixed(5)} ${lat.toFixed(5)}`;
  const packages = new Map<string, number>();
  for (const point of points) packages.set(keyOf(point), (packages.get(keyOf(point)) ?? 0) + 1);
  return points.map((point) => perPackage + perDoor / (packages.get(keyOf(point)) ?? 1));
}
