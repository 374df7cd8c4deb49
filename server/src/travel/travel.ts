import type { Logger } from 'pino';
import { openHttpClient } from '../platform/outgoing/requests.ts';
import type { Matrix } from '../optimizer/problem.ts';
import { estimateLeg, estimateMatrix, type Point } from './estimate.ts';
import { NotOnRoads, type Roads } from './roads.ts';
import { openRouter, type Leg, type Router, type RouterKind } from './router.ts';

/** `router`: by roads. `estimated`: by straight lines and a mean speed. */
export type TravelTimes = 'router' | 'estimated';

export interface Way {
  metres: number;
  seconds: number;
  /** One between each two points. */
  legs: Leg[];
  /** Where the roads lead; straight lines where that is estimated. */
  geometry: Point[];
  travelTimes: TravelTimes;
}

/** Distances and driving times: of the routing engine, if one is set and answers, else estimated. Never fails, and says which. */
export interface Travel {
  matrix(points: readonly Point[]): Promise<{ matrix: Matrix; travelTimes: TravelTimes }>;
  /** The way through points in their order. */
  route(points: readonly Point[]): Promise<Way>;
  /** As `route`, without waiting: estimated until the engine has answered, which it is asked for now. */
  routeNow(points: readonly Point[]): Way;
  close(): void;
}

/** The whole exchange. */
const timeoutMs = 5000;
const maxReplyBytes = 4 * 1024 * 1024;
/** Blocks of one matrix that are asked for at a time. */
const parallel = 4;
/** A matrix that takes longer is estimated: of 2,000 places it has 1,600 blocks. */
const matrixMs = 60_000;
/** After a failure the engine is left alone, so that a hanging one holds up nothing twice. */
const restMs = 30_000;
/** Where no road leads: more than any shift. */
const unreachable: Leg = { metres: 1e6, seconds: 1e6 };
/** Roads change seldom, traffic is not asked for. */
const keptMs = 3_600_000;
const keptCells = 2_000_000;
const keptWays = 2000;

export interface TravelOptions {
  url: string | undefined;
  kind: RouterKind;
  /** The roads that are asked without a `url`. */
  roads?: Roads;
  log: Logger;
  /** For tests. */
  timeoutMs?: number;
  restMs?: number;
}

export function openTravel(options: TravelOptions): Travel {
  const { url, kind, log, roads } = options;
  if (url === undefined && !roads) {
    return {
      matrix: (points) => Promise.resolve({ matrix: estimateMatrix(points), travelTimes: 'estimated' }),
      route: (points) => Promise.resolve(estimateWay(points)),
      routeNow: estimateWay,
      close: () => undefined,
    };
  }
  const http = openHttpClient({ publicOnly: false, timeoutMs: options.timeoutMs ?? timeoutMs, maxReplyBytes });
  const router = url === undefined ? roads : openRouter(kind, url, http);
  if (!router) throw new Error('neither a router nor roads');
  const matrices = keep<Matrix>(keptCells, ({ size }) => size * size);
  const ways = keep<Way>(keptWays, () => 1);
  const asked = new Set<string>();
  let restsUntil = 0;

  /** @returns null if the engine rests or fails */
  async function ask<T>(what: () => Promise<T>): Promise<T | null> {
    if (performance.now() < restsUntil) return null;
    try {
      return await what();
    } catch (error) {
      if (error instanceof NotOnRoads) return null;
      if (performance.now() >= restsUntil)
        log.warn(
          { reason: error instanceof Error ? error.message.slice(0, 300) : String(error) },
          'the router does not answer: driving times are estimated',
        );
      restsUntil = performance.now() + (options.restMs ?? restMs);
      return null;
    }
  }

  const way = async (key: string, points: readonly Point[]): Promise<Way | null> => {
    const found = await ask(() => wayOf(router, points));
    if (found) ways.set(key, found);
    return found;
  };

  return {
    async matrix(points) {
      const key = keyOf(points);
      const matrix = matrices.get(key) ?? (await ask(() => matrixOf(router, points)));
      if (!matrix) return { matrix: estimateMatrix(points), travelTimes: 'estimated' };
      matrices.set(key, matrix);
      return { matrix, travelTimes: 'router' };
    },
    async route(points) {
      if (points.length < 2) return estimateWay(points);
      const key = keyOf(points);
      return ways.get(key) ?? (await way(key, points)) ?? estimateWay(points);
    },
    routeNow(points) {
      if (points.length < 2) return estimateWay(points);
      const key = keyOf(points);
      const known = ways.get(key);
      if (known) return known;
      if (!asked.has(key) && asked.size < parallel) {
        asked.add(key);
        void way(key, points).finally(() => asked.delete(key));
      }
      return estimateWay(points);
    },
    close() {
      http.close();
      roads?.close();
    },
  };
}

const keyOf = (points: readonly Point[]) =>
  points.map(({ lon, lat }) => `${lon.toFixed(5)} ${lat.toFixed(5)}`).join(';');

interface Kept<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/** The newest values, as many as fit. */
function keep<T>(limit: number, sizeOf: (value: T) => number): Kept<T> {
  const values = new Map<string, { value: T; until: number }>();
  let used = 0;
  const forget = (key: string) => {
    const kept = values.get(key);
    if (!kept) return;
    used -= sizeOf(kept.value);
    values.delete(key);
  };
  return {
    get(key) {
      const kept = values.get(key);
      if (!kept || kept.until < performance.now()) return undefined;
      return kept.value;
    },
    set(key, value) {
      const until = values.get(key)?.until ?? performance.now() + keptMs;
      forget(key);
      if (sizeOf(value) > limit) return;
      values.set(key, { value, until });
      used += sizeOf(value);
      for (const oldest of values.keys()) {
        if (used <= limit) break;
        forget(oldest);
      }
    },
  };
}

/** Asks for a matrix block by block. @throws Error as soon as one fails, or all together take too long */
async function matrixOf(router: Router, points: readonly Point[]): Promise<Matrix> {
  const size = points.length;
  const matrix: Matrix = { size, seconds: new Float64Array(size * size), metres: new Float64Array(size * size) };
  const starts = Array.from({ length: Math.ceil(size / router.blockSize) }, (_, index) => index * router.blockSize);
  const blocks = starts.flatMap((row) => starts.map((column) => [row, column] as const));
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(matrixMs)]);
  const work = async () => {
    for (let next = blocks.shift(); next; next = blocks.shift()) {
      signal.throwIfAborted();
      const [row, column] = next;
      const sources = points.slice(row, row + router.blockSize);
      const targets = points.slice(column, column + router.blockSize);
      const { seconds, metres } = await router.block(sources, targets, signal);
      for (let i = 0; i < sources.length; i++)
        for (let j = 0; j < targets.length; j++) {
          const arc = (row + i) * size + column + j;
          const cell = i * targets.length + j;
          const isSame = row + i === column + j;
          matrix.seconds[arc] = isSame ? 0 : (seconds[cell] ?? unreachable.seconds);
          matrix.metres[arc] = isSame ? 0 : (metres[cell] ?? unreachable.metres);
        }
    }
  };
  try {
    await Promise.all(Array.from({ length: parallel }, work));
  } finally {
    failed.abort();
  }
  return matrix;
}

/** Asks for a way in parts, each of which begins where the one before ends. */
async function wayOf(router: Router, points: readonly Point[]): Promise<Way> {
  const legs: Leg[] = [];
  const geometry: Point[] = [];
  const signal = AbortSignal.timeout(matrixMs);
  for (let from = 0; from < points.length - 1; from += router.wayPoints - 1) {
    const part = await router.way(points.slice(from, from + router.wayPoints), signal);
    legs.push(...part.legs);
    for (const point of part.geometry) geometry.push(point);
  }
  return { ...totalsOf(legs), legs, geometry, travelTimes: 'router' };
}

function estimateWay(points: readonly Point[]): Way {
  const legs = points.slice(1).map((point, index) => estimateLeg(points[index] ?? point, point));
  return { ...totalsOf(legs), legs, geometry: [...points], travelTimes: 'estimated' };
}

const totalsOf = (legs: Leg[]) => ({
  metres: Math.round(legs.reduce((sum, { metres }) => sum + metres, 0)),
  seconds: Math.round(legs.reduce((sum, { seconds }) => sum + seconds, 0)),
});
