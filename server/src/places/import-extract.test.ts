import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gunzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGraph } from '../maps/osm/graph.ts';
import { buildTown } from '../maps/town.ts';
import { straightMetres } from '../travel/estimate.ts';
import { blob, osmBlocks, osmHeader, townExtract, type OsmNode } from '../testing/osm-extract.ts';
import { createPackage, eventually, openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { importExtract } from './import-extract.ts';

let product: TestProduct;
let folder: string;
const town = buildTown();
const extract = townExtract();

beforeAll(async () => {
  product = await openTestProduct();
  folder = await mkdtemp(join(tmpdir(), 'extract-'));
});
afterAll(async () => {
  await product.close();
  await rm(folder, { recursive: true });
});

async function importBytes(bytes: Uint8Array, limitMegabytes = 200) {
  const file = join(folder, 'town.osm.pbf');
  await writeFile(file, bytes);
  const { connection } = product;
  return importExtract({ connection, file, name: 'town.osm.pbf', at: new Date(), limitMegabytes });
}
const refusalOf = (bytes: Uint8Array, limitMegabytes?: number) =>
  importBytes(bytes, limitMegabytes).then(
    () => 'imported',
    (error: Error) => error.message,
  );
const count = async (sql: string) => (await product.ctx.db.query<{ count: number }>(sql))[0]?.count;

test('an extract becomes streets on the map, addresses that are found, and roads; the next one takes its place', async () => {
  const done = await importBytes(extract);
  expect(done.addresses).toBe(town.addresses.length);
  // A bend of a single street is no crossing.
  expect(done.crossings).toBeGreaterThan(town.crossings.length - 50);
  const owner = await product.register('owner');
  const known = town.addresses.find(({ street }) => street === 'Mill Lane 12');
  const address = { street: 'Mill Lane 12', postalCode: '40112', city: 'Riverton' };
  const { id } = await createPackage(owner, { address });
  const placeOf = async () => (await owner.api.packages.read({ params: { id } })).place;
  await eventually('the place', async () => (await placeOf()) !== null);
  const place = await placeOf();
  expect(place).toMatchObject({ accuracy: 'rooftop', source: 'OpenStreetMap' });
  expect(place?.lon).toBeCloseTo(known?.place.lon ?? 0, 6);
  expect(place?.lat).toBeCloseTo(known?.place.lat ?? 0, 6);

  const style = await product.app.inject({ url: '/map/style.json' });
  expect(style.body).toContain('© OpenStreetMap contributors');
  const { rawPayload } = await product.app.inject({
    url: '/map/tiles/14/3722/6225',
    headers: { 'accept-encoding': 'gzip' },
  });
  const { layers } = new VectorTile(new PbfReader(gunzipSync(rawPayload)));
  const streets = new Set(town.addresses.map(({ street }) => street.replace(/ \d+$/, '')));
  const names = Array.from({ length: layers.roads?.length ?? 0 }, (_, n) => layers.roads?.feature(n).properties.name);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !streets.has(String(name)) && name !== 'Ring Road')).toEqual([]);
  expect(layers.buildings?.length).toBeGreaterThan(100);

  const [row] = await product.ctx.db.query<{ graph: Buffer }>('select graph from map_extracts where is_current');
  const graph = readGraph(row?.graph ?? Buffer.alloc(0));
  expect(graph.lons.length).toBe(done.crossings);
  expect(graph.first.at(-1)).toBe(graph.to.length);
  expect(Math.min(...graph.times)).toBeGreaterThan(0);

  // Driving times follow the roads; where they do not lead, they are estimated.
  const doors = [0, 4000, 9000, 13_000].flatMap((n) => town.addresses[n]?.place ?? []);
  const { travel } = product.ctx;
  const { matrix, travelTimes } = await travel.matrix(doors);
  expect(travelTimes).toBe('router');
  const way = await travel.route(doors);
  expect(way.travelTimes).toBe('router');
  expect(way.legs.map(({ seconds }) => seconds)).toEqual([1, 6, 11].map((cell) => matrix.seconds[cell]));
  const along = way.geometry.slice(1).map((to, n) => straightMetres(way.geometry[n] ?? to, to));
  const ratio = way.metres / along.reduce((sum, metres) => sum + metres, 0);
  expect(ratio).toBeGreaterThan(0.99);
  expect(ratio).toBeLessThan(1.1);
  for (const [n, to] of doors.slice(1).entries()) {
    const straight = straightMetres(doors[n] ?? to, to);
    const { metres, seconds } = way.legs[n] ?? { metres: 0, seconds: 0 };
    expect(metres).toBeGreaterThan(straight);
    expect(metres).toBeLessThan(straight * 2 + 1000);
    // Between walking pace and the fastest road.
    expect(metres / seconds).toBeGreaterThan(3);
    expect(metres / seconds).toBeLessThan(75 / 3.6);
  }
  expect((await travel.matrix([...doors, { lon: 10, lat: 53 }])).travelTimes).toBe('estimated');

  // What is refused changes nothing.
  const before = await count('select count(*)::int from map_tiles');
  expect(before).toBe(done.tiles);
  expect(await refusalOf(extract.subarray(0, extract.length - 1000))).toMatch(/cut off/);
  expect(await count('select count(*)::int from map_tiles')).toBe(before);
  expect(await count('select count(*)::int from map_addresses')).toBe(0);
  const corner: OsmNode[] = [
    { id: 1, at: [10, 53], tags: { 'addr:street': 'Am Kai', 'addr:housenumber': '1', 'addr:city': 'Hamburg' } },
    { id: 2, at: [10.01, 53] },
    { id: 3, at: [10.02, 53] },
  ];
  const small = Buffer.concat([
    osmHeader(),
    osmBlocks(corner, [
      { refs: [1, 2], tags: { highway: 'residential', name: 'Am Kai', maxspeed: '50' } },
      { refs: [2, 3], tags: { highway: 'residential', oneway: 'yes' } },
      { refs: [1, 3], tags: { highway: 'footway' } },
    ]),
  ]);
  // The end of the one-way street cannot be left.
  expect(await importBytes(small)).toMatchObject({ addresses: 1, crossings: 2 });
  expect(await count('select count(*)::int from gazetteer')).toBe(1);
  expect(await count('select count(*)::int from map_extracts')).toBe(1);
});

test('hostile and broken files are refused with a reason', async () => {
  const header = osmHeader();
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  const long = osmBlocks([{ id: 1, at: [10, 53], tags: { name: 'x'.repeat(5000) } }], []);
  const cases: [Uint8Array, RegExp][] = [
    [Buffer.alloc(0), /damaged/],
    [Buffer.from('PK\u0003\u0004 no extract at all, but long enough to look like one'), /damaged|cut off/],
    [Buffer.concat([header, blob('OSMData', Buffer.alloc(1000), { zipped: bomb })]), /damaged/],
    [Buffer.concat([header, blob('OSMData', Buffer.alloc(10), { rawSize: 1e9, zipped: bomb })]), /damaged/],
    [Buffer.concat([header, blob('OSMData', Buffer.from([0x12, 0xff, 0xff, 0xff, 0x7f]))]), /damaged/],
    [Buffer.concat([header, long]), /longer or more texts/],
    [Buffer.concat([osmHeader('HistoricalInformation'), long]), /needs 'HistoricalInformation'/],
    [header, /neither roads nor buildings/],
  ];
  for (const [bytes, reason] of cases) expect(await refusalOf(bytes)).toMatch(reason);
  expect(await refusalOf(Buffer.alloc(1024 * 1024 + 1), 1)).toMatch(/2 MB, more than the 1 MB of MAP_EXTRACT_MAX_MB/);
});
