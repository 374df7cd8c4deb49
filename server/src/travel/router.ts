import * as z from 'zod/mini';
import type { HttpClient, OutgoingReply } from '../platform/outgoing/requests.ts';
import type { Point } from './estimate.ts';

export const routerKinds = ['osrm', 'valhalla', 'ors'] as const;
export type RouterKind = (typeof routerKinds)[number];

/** From each source to each target, row by row. null where no road leads. */
export interface Block {
  seconds: (number | null)[];
  metres: (number | null)[];
}

export interface Leg {
  metres: number;
  seconds: number;
}

export interface Way {
  /** One between each two points. */
  legs: Leg[];
  geometry: Point[];
}

/** A routing engine. What it answers is checked: sizes, ranges, types. */
export interface Router {
  /** The most sources and targets of one block. */
  blockSize: number;
  /** The most points of one way. */
  wayPoints: number;
  /** @throws Error when it does not answer in time, or answers nonsense */
  block(sources: Point[], targets: Point[], signal?: AbortSignal): Promise<Block>;
  way(points: Point[], signal?: AbortSignal): Promise<Way>;
}

/** No leg of a delivery takes longer; what claims so is nonsense. In s and m. */
const amount = z.number().check(z.minimum(0), z.maximum(1e8));
const cells = z.array(z.array(z.nullable(amount)));
const lonLat = z.tuple([
  z.number().check(z.minimum(-180), z.maximum(180)),
  z.number().check(z.minimum(-90), z.maximum(90)),
]);

const OsrmTable = z.object({ code: z.literal('Ok'), durations: cells, distances: cells });
const OsrmRoute = z.object({
  code: z.literal('Ok'),
  routes: z
    .array(
      z.object({
        legs: z.array(z.object({ distance: amount, duration: amount })),
        geometry: z.object({ coordinates: z.array(lonLat) }),
      }),
    )
    .check(z.minLength(1)),
});
const ValhallaMatrix = z.object({
  sources_to_targets: z.array(z.array(z.object({ time: z.nullable(amount), distance: z.nullable(amount) }))),
});
const ValhallaRoute = z.object({
  trip: z.object({
    legs: z.array(z.object({ summary: z.object({ length: amount, time: amount }), shape: z.string() })),
  }),
});
const OrsMatrix = z.object({ durations: cells, distances: cells });
const OrsRoute = z.object({
  features: z
    .array(
      z.object({
        geometry: z.object({ coordinates: z.array(z.array(z.number())) }),
        properties: z.object({ segments: z.array(z.object({ distance: amount, duration: amount })) }),
      }),
    )
    .check(z.minLength(1)),
});

/** @param url the engine's address, such as http://osrm:5000 */
export function openRouter(kind: RouterKind, url: string, http: HttpClient): Router {
  const base = url.replace(/\/+$/, '');
  const json = async (reply: Promise<OutgoingReply>): Promise<unknown> => {
    const { status, text } = await reply;
    if (status !== 200) throw new Error(`the router answered ${status}`);
    return JSON.parse(text);
  };
  const get = (path: string, signal?: AbortSignal) => json(http.send({ url: `${base}${path}` }, signal));
  const post = (path: string, body: object, signal?: AbortSignal) =>
    json(
      http.send(
        {
          url: `${base}${path}`,
          headers: { 'content-type': 'application/json', accept: 'application/json, application/geo+json' },
          body: JSON.stringify(body),
        },
        signal,
      ),
    );
  return engines[kind](get, post);
}

type Get = (path: string, signal?: AbortSignal) => Promise<unknown>;
type Post = (path: string, body: object, signal?: AbortSignal) => Promise<unknown>;

const degrees = (value: number) => value.toFixed(6);
const lonLatOf = ({ lon, lat }: Point): [number, number] => [Number(degrees(lon)), Number(degrees(lat))];
const pointOf = ([lon, lat]: readonly [number, number]): Point => ({ lon, lat });
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

/** @throws Error unless it has as many rows and columns as were asked for */
function flat(rows: (number | null)[][], sources: Point[], targets: Point[]): (number | null)[] {
  if (rows.length !== sources.length || rows.some((row) => row.length !== targets.length))
    throw new Error('the router answered a matrix of another size');
  return rows.flat();
}

function checkedWay(way: Way, points: Point[]): Way {
  if (way.legs.length !== points.length - 1) throw new Error('the router answered another number of legs');
  if (way.geometry.length < 2) throw new Error('the router answered no geometry');
  return way;
}

const engines: Record<RouterKind, (get: Get, post: Post) => Router> = {
  osrm: (get) => {
    const path = (points: Point[]) => points.map(({ lon, lat }) => `${degrees(lon)},${degrees(lat)}`).join(';');
    return {
      // 100 coordinates a table, unless its operator allows more.
      blockSize: 50,
      wayPoints: 100,
      async block(sources, targets, signal) {
        const from = numbers(0, sources.length).join(';');
        const to = numbers(sources.length, targets.length).join(';');
        const query = `sources=${from}&destinations=${to}&annotations=duration,distance`;
        const table = OsrmTable.parse(
          await get(`/table/v1/driving/${path([...sources, ...targets])}?${query}`, signal),
        );
        return {
          seconds: flat(table.durations, sources, targets),
          metres: flat(table.distances, sources, targets),
        };
      },
      async way(points, signal) {
        const answer = await get(`/route/v1/driving/${path(points)}?overview=full&geometries=geojson`, signal);
        const [route] = OsrmRoute.parse(answer).routes;
        const legs = (route?.legs ?? []).map(({ distance, duration }) => ({ metres: distance, seconds: duration }));
        return checkedWay({ legs, geometry: (route?.geometry.coordinates ?? []).map(pointOf) }, points);
      },
    };
  },
  valhalla: (_, post) => {
    const place = ({ lon, lat }: Point) => ({ lon, lat });
    const options = { costing: 'auto', units: 'kilometers' };
    return {
      blockSize: 50,
      wayPoints: 20,
      async block(sources, targets, signal) {
        const body = { ...options, sources: sources.map(place), targets: targets.map(place) };
        const rows = ValhallaMatrix.parse(await post('/sources_to_targets', body, signal)).sources_to_targets;
        const metresOf = (kilometres: number | null) => kilometres && Math.round(kilometres * 1000);
        return {
          seconds: flat(
            rows.map((row) => row.map(({ time }) => time)),
            sources,
            targets,
          ),
          metres: flat(
            rows.map((row) => row.map(({ distance }) => metresOf(distance))),
            sources,
            targets,
          ),
        };
      },
      async way(points, signal) {
        const body = { ...options, locations: points.map((point) => ({ ...place(point), type: 'break' })) };
        const { legs } = ValhallaRoute.parse(await post('/route', body, signal)).trip;
        return checkedWay(
          {
            legs: legs.map(({ summary: { length, time } }) => ({ metres: Math.round(length * 1000), seconds: time })),
            geometry: legs.flatMap(({ shape }) => decodePolyline(shape)),
          },
          points,
        );
      },
    };
  },
  ors: (_, post) => ({
    blockSize: 50,
    wayPoints: 50,
    async block(sources, targets, signal) {
      const body = {
        locations: [...sources, ...targets].map(lonLatOf),
        sources: numbers(0, sources.length),
        destinations: numbers(sources.length, targets.length),
        metrics: ['duration', 'distance'],
      };
      const { durations, distances } = OrsMatrix.parse(await post('/v2/matrix/driving-car', body, signal));
      return { seconds: flat(durations, sources, targets), metres: flat(distances, sources, targets) };
    },
    async way(points, signal) {
      const body = { coordinates: points.map(lonLatOf), instructions: true };
      const [found] = OrsRoute.parse(await post('/v2/directions/driving-car/geojson', body, signal)).features;
      const legs = (found?.properties.segments ?? []).map(({ distance, duration }) => ({
        metres: distance,
        seconds: duration,
      }));
      // A third number would be the height.
      const geometry = (found?.geometry.coordinates ?? []).map((at) => pointOf(lonLat.parse(at.slice(0, 2))));
      return checkedWay({ legs, geometry }, points);
    },
  }),
};

/** Points in Google's polyline encoding, with six decimals. @throws Error if it is none */
export function decodePolyline(encoded: string): Point[] {
  const points: Point[] = [];
  let [at, lat, lon] = [0, 0, 0];
  const next = () => {
    let [bits, shift, part] = [0, 0, 0];
    do {
      part = encoded.charCodeAt(at++) - 63;
      if (!(part >= 0 && part < 64) || shift > 30) throw new Error('the router answered a broken polyline');
      bits |= (part & 31) << shift;
      shift += 5;
    } while (part >= 32);
    return bits & 1 ? ~(bits >> 1) : bits >> 1;
  };
  while (at < encoded.length) {
    lat += next();
    lon += next();
    points.push(pointOf(lonLat.parse([lon / 1e6, lat / 1e6])));
  }
  return points;
}
