import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { engineFaults, startFakeEngine, type FakeEngine } from '../testing/fake-engine.ts';
import { estimateMatrix, straightMetres, type Point } from './estimate.ts';
import { decodePolyline, type RouterKind } from './router.ts';
import { openTravel } from './travel.ts';

let engine: FakeEngine;
beforeAll(async () => (engine = await startFakeEngine()));
afterEach(() => {
  engine.fault = null;
  engine.asked = [];
});
afterAll(() => engine.close());

const log = pino({ level: 'silent' });
/** @param timeoutMs as long as a busy machine needs, but where the engine is not to answer */
function open(kind: RouterKind, { restMs = 0, timeoutMs = 20_000 } = {}) {
  const travel = openTravel({ url: `${engine.url}/`, kind, log, timeoutMs, restMs });
  onTestFinished(() => travel.close());
  return travel;
}

const places = (count: number): Point[] =>
  Array.from({ length: count }, (_, index) => ({ lon: 9.9 + (index % 11) / 100, lat: 53.5 + index / 1000 }));
/** What the fakes answer: roads twice as long as the straight line, at 10 m/s. */
const metres = (from: Point, to: Point) => Math.round(2 * straightMetres(from, to));
const rounded = ({ lon, lat }: Point) => ({ lon: Number(lon.toFixed(6)), lat: Number(lat.toFixed(6)) });
const cells = (sources: Point[], targets: Point[]) => sources.map((from) => targets.map((to) => metres(from, to)));
const tenth = (rows: number[][]) => rows.map((row) => row.map((cell) => cell / 10));
const legsOf = (points: Point[]) => points.slice(1).map((to, index) => metres(points[index] ?? to, to));
const lonLat = ([lon = 0, lat = 0]: number[]): Point => ({ lon, lat });

/** As the documents of each engine have it. */
const answers: Record<RouterKind, (path: string, body: string) => unknown> = {
  osrm: (path) => {
    const url = new URL(path, 'http://osrm');
    const points = (url.pathname.split('/').at(-1) ?? '').split(';').map((pair) => lonLat(pair.split(',').map(Number)));
    const pick = (name: string) =>
      (url.searchParams.get(name) ?? '').split(';').map((at) => points[Number(at)] ?? lonLat([]));
    if (url.pathname.startsWith('/table')) {
      const distances = cells(pick('sources'), pick('destinations'));
      return { code: 'Ok', distances, durations: tenth(distances), sources: [], destinations: [] };
    }
    const legs = legsOf(points).map((distance) => ({ distance, duration: distance / 10, steps: [], summary: '' }));
    return {
      code: 'Ok',
      routes: [{ legs, geometry: { type: 'LineString', coordinates: points.map(({ lon, lat }) => [lon, lat]) } }],
    };
  },
  valhalla: (path, body) => {
    const { sources, targets, locations } = JSON.parse(body) as Record<string, Point[]>;
    if (path === '/sources_to_targets')
      return {
        sources_to_targets: cells(sources ?? [], targets ?? []).map((row) =>
          row.map((distance) => ({ distance: distance / 1000, time: distance / 10 })),
        ),
      };
    const legs = legsOf(locations ?? []);
    return {
      // Two points of the documentation's example: 38.5, -120.2 and 40.7, -120.95, with five more decimals.
      trip: {
        legs: legs.map((length) => ({
          summary: { length: length / 1000, time: length / 10 },
          shape: '_izlhA~rlgdF_{geC~ywl@',
        })),
      },
    };
  },
  ors: (path, body) => {
    const asked = JSON.parse(body) as {
      locations?: number[][];
      sources?: number[];
      destinations?: number[];
      coordinates?: number[][];
    };
    if (path === '/v2/matrix/driving-car') {
      const at = (index: number) => lonLat(asked.locations?.[index] ?? []);
      const distances = cells((asked.sources ?? []).map(at), (asked.destinations ?? []).map(at));
      return { distances, durations: tenth(distances) };
    }
    const points = (asked.coordinates ?? []).map(lonLat);
    return {
      features: [
        {
          geometry: { coordinates: points.map(({ lon, lat }) => [lon, lat, 12.5]) },
          properties: { segments: legsOf(points).map((distance) => ({ distance, duration: distance / 10 })) },
        },
      ],
    };
  },
};

test.each(['osrm', 'valhalla', 'ors'] as const)(
  '%s: a matrix is asked for in blocks and a way in parts, once, and both are put together in the right order',
  async (kind) => {
    engine.answer = answers[kind];
    const travel = open(kind);
    const points = places(120).map(rounded);
    const { matrix, travelTimes } = await travel.matrix(points);
    expect(travelTimes).toBe('router');
    expect(engine.asked).toHaveLength(9);
    expect([...matrix.metres]).toEqual(cells(points, points).flat());
    expect(matrix.seconds[5]).toBeCloseTo((matrix.metres[5] ?? 0) / 10, 6);
    const way = await travel.route(points);
    expect(way.travelTimes).toBe('router');
    expect(way.legs.map((leg) => leg.metres)).toEqual(legsOf(points));
    expect(way.metres).toBe(legsOf(points).reduce((sum, leg) => sum + leg));
    expect(way.geometry.length).toBeGreaterThanOrEqual(points.length);
    const { length } = engine.asked;
    expect((await travel.matrix(points)).matrix).toEqual(matrix);
    expect(await travel.route(points)).toEqual(way);
    expect(travel.routeNow(points)).toEqual(way);
    expect(engine.asked).toHaveLength(length);
  },
);

const ok = { code: 'Ok' };
const three = (cell: unknown) => [0, 1, 2].map(() => [cell, cell, cell]);
const nonsense: [string, unknown][] = [
  ['an error', { code: 'NoTable', message: 'none' }],
  ['NaN', { ...ok, durations: three('NaN'), distances: three(1) }],
  ['negative times', { ...ok, durations: three(-1), distances: three(1) }],
  ['times of centuries', { ...ok, durations: three(1e12), distances: three(1) }],
  ['a smaller matrix', { ...ok, durations: [[1]], distances: [[1]] }],
  ['a ragged matrix', { ...ok, durations: [[1, 2, 3], [1, 2], [1]], distances: three(1) }],
  ['no distances', { ...ok, durations: three(1) }],
  ['null', null],
];

test.each([...engineFaults.map((fault) => [fault, null] as const), ...nonsense])(
  'an engine that answers %s is replaced by estimates that say so, and rests',
  async (fault, body) => {
    const never = fault === 'hangs' || fault === 'drips';
    const travel = open('osrm', { restMs: 60_000, ...(never && { timeoutMs: 200 }) });
    engine.fault = engineFaults.find((one) => one === fault) ?? null;
    engine.answer = engine.fault ? answers.osrm : () => body;
    const points = places(3);
    expect(await travel.matrix(points)).toEqual({ matrix: estimateMatrix(points), travelTimes: 'estimated' });
    expect(await travel.route(points)).toMatchObject({ travelTimes: 'estimated', geometry: points });
    expect(travel.routeNow(points).travelTimes).toBe('estimated');
    // A matrix that was given up may still arrive there.
    expect(engine.asked.filter(({ path }) => path.startsWith('/route'))).toEqual([]);
  },
  // Shorter than the minute after which a matrix is given up in any case.
  40_000,
);

const leg = { distance: 100, duration: 10 };
const coordinates = [
  [9.9, 53.5],
  [9.91, 53.501],
];
test.each([
  ['a negative distance', { legs: [leg, { ...leg, distance: -1 }], geometry: { coordinates } }],
  ['a leg too few', { legs: [leg], geometry: { coordinates } }],
  ['a place that is not on earth', { legs: [leg, leg], geometry: { coordinates: [[999, 0], ...coordinates] } }],
  ['no geometry', { legs: [leg, leg], geometry: { coordinates: [] } }],
  ['nothing of all that', {}],
])('a way with %s is replaced by straight lines that say so', async (_, way) => {
  const travel = open('osrm');
  engine.answer = () => ({ ...ok, routes: [way] });
  const points = places(3);
  expect(await travel.route(points)).toMatchObject({ travelTimes: 'estimated', geometry: points });
  expect(engine.asked).toHaveLength(1);
});

test('an engine that is well again is asked again; where no road leads is farther than any shift; a way that nobody waits for comes later', async () => {
  const travel = open('osrm');
  const points = places(3);
  engine.fault = '500';
  expect((await travel.matrix(points)).travelTimes).toBe('estimated');
  engine.fault = null;
  const [from, to] = [
    [0, 60, null],
    [60, 0, null],
  ];
  engine.answer = () => ({ ...ok, durations: [from, to, [null, null, 0]], distances: [from, to, [null, null, 0]] });
  const { matrix, travelTimes } = await travel.matrix(points);
  expect(travelTimes).toBe('router');
  expect([...matrix.seconds]).toEqual([0, 60, 1e6, 60, 0, 1e6, 1e6, 1e6, 0]);
  engine.answer = answers.osrm;
  expect(travel.routeNow(points).travelTimes).toBe('estimated');
  await expect.poll(() => travel.routeNow(points).travelTimes, { timeout: 20_000 }).toBe('router');
  const away = openTravel({ url: 'http://127.0.0.1:9', kind: 'osrm', log });
  expect((await away.matrix(points)).travelTimes).toBe('estimated');
  away.close();
});

test('a polyline is read, and a broken one refused', () => {
  const points = decodePolyline('_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI');
  expect(points.map(({ lon, lat }) => [lat, lon])).toEqual([
    [38.5, -120.2],
    [40.7, -120.95],
    [43.252, -126.453],
  ]);
  for (const broken of ['_izlhA', '\u0001', '~'.repeat(30)]) expect(() => decodePolyline(broken)).toThrow();
});
