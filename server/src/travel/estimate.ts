import type { Matrix } from '../optimizer/problem.ts';

/** Degrees of longitude and latitude, WGS 84. */
export interface Point {
  lon: number;
  lat: number;
}

/** How much longer roads are than the straight line. */
const roadFactor = 1.35;
/** 28 km/h, with traffic lights and parking. */
const metresPerSecond = 28 / 3.6;
const earthRadius = 6_371_008.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance in m (haversine). */
export function straightMetres(from: Point, to: Point): number {
  const dLat = radians(to.lat - from.lat) / 2;
  const dLon = radians(to.lon - from.lon) / 2;
  const a = Math.sin(dLat) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLon) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** Driving distance in m and time in s without a router. Rounded to whole metres and seconds. */
export function estimateLeg(from: Point, to: Point): { metres: number; seconds: number } {
  const metres = Math.round(straightMetres(from, to) * roadFactor);
  return { metres, seconds: Math.round(metres / metresPerSecond) };
}

/** Driving times and distances between all points without a router. */
export function estimateMatrix(points: readonly Point[]): Matrix {
  const size = points.length;
  const matrix: Matrix = { size, seconds: new Float64Array(size * size), metres: new Float64Array(size * size) };
  for (const [row, from] of points.entries())
    for (const [column, to] of points.entries()) {
      if (row === column) continue;
      const { metres, seconds } = estimateLeg(from, to);
      matrix.metres[row * size + column] = metres;
      matrix.seconds[row * size + column] = seconds;
    }
  return matrix;
}
