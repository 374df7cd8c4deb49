import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader, PbfWriter } from 'pbf';
import { zxyToTileId } from 'pmtiles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToGazetteer } from '../places/gazetteer.ts';
import { openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { openTileCutter } from './tiles.ts';
import { buildTown } from './town.ts';

let product: TestProduct;
const town = buildTown();

beforeAll(async () => {
  product = await openTestProduct();
  await product.ctx.db.transaction((tx) => addToGazetteer(tx, town.addresses));
});
afterAll(() => product.close());

const get = (url: string, headers = {}) =>
  product.app.inject({ url, headers: { 'accept-encoding': 'gzip', ...headers } });

interface Style {
  sources: Record<string, { tiles: string[]; attribution: string }>;
  layers: { id: string; source?: string; paint: Record<string, unknown> }[];
}
const styleOf = async (theme: string) => (await get(`/map/style.json?theme=${theme}`)).json<Style>();

/** The names in a layer of a tile. */
async function namesIn(url: string, layer: string): Promise<unknown[]> {
  const { statusCode, rawPayload, headers } = await get(url);
  expect([statusCode, headers['content-encoding']]).toEqual([200, 'gzip']);
  const found = new VectorTile(new PbfReader(gunzipSync(rawPayload))).layers[layer];
  return Array.from({ length: found?.length ?? 0 }, (_, index) => found?.feature(index).properties.name);
}

test('the map of an installation has the world, and the streets of the demo where its addresses are known', async () => {
  const [light, dark] = [await styleOf('light'), await styleOf('dark')];
  expect(Object.keys(light.sources)).toEqual(['world', 'streets']);
  expect(light.sources.world?.attribution).toMatch(/Natural Earth.*GeoNames/);
  expect(dark.layers.map(({ id }) => id)).toEqual(light.layers.map(({ id }) => id));
  expect(dark.layers.map(({ paint }) => paint)).not.toEqual(light.layers.map(({ paint }) => paint));
  expect(await namesIn('/map/world/4/8/5?v=1', 'places')).toContain('Paris');
  expect(await namesIn('/map/world/0/0/0?v=1', 'earth')).not.toEqual([]);
  // A block of Riverton's middle: its streets are those of the addresses.
  const streets = new Set(town.addresses.map(({ street }) => street.replace(/ \d+$/, '')));
  const named = await namesIn('/map/tiles/14/3722/6225', 'roads');
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !streets.has(String(name)) && name !== 'Ring Road')).toEqual([]);
});

test('tiles are kept by browsers, plain for who does not take gzip, and nothing but tiles is found', async () => {
  const { headers } = await get('/map/world/0/0/0');
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=604800', 'x-content-type-options': 'nosniff' });
  const plain = await get('/map/tiles/14/3722/6225', { 'accept-encoding': '' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(new VectorTile(new PbfReader(plain.rawPayload)).layers.buildings?.length).toBeGreaterThan(100);
  expect((await get('/map/tiles/14/0/0')).statusCode).toBe(204);
  for (const path of [
    'tiles/15/0/0',
    'tiles/3/0/0',
    'tiles/6/64/0',
    'world/7/0/0',
    'tiles/a/0/0',
    'tiles/6/-1/0',
    'tiles/99999999999/1/1',
    '',
  ])
    expect([path, (await get(`/map/${path}`)).statusCode]).toEqual([path, 404]);
});

test('in Riverton every crossing can be reached from every other one', () => {
  const neighbours = new Map<number, number[]>();
  for (const { from, to } of town.roads)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
  const reached = new Set<number>();
  const queue = [0];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    queue.push(...(neighbours.get(at) ?? []));
  }
  expect(reached.size).toBe(town.crossings.length);
  expect(town.crossings.length).toBeGreaterThan(2000);
});

test('without the demo there are no streets, and a map of the settings is allowed by the policy of the pages', async () => {
  const other = await openTestProduct({
    config: { MAP_STYLE_URL: 'https://maps.example.com/style.json', MAP_ORIGINS: 'https://tiles.example.com' },
  });
  try {
    const { headers, statusCode } = await other.app.inject({ url: '/map/style.json' });
    expect([statusCode, headers.location]).toEqual([302, 'https://maps.example.com/style.json']);
    const policy = `${headers['content-security-policy']}`;
    expect(policy).toContain("connect-src 'self' https://maps.example.com https://tiles.example.com;");
    expect(policy).toContain("worker-src 'self';");
    expect((await other.app.inject({ url: '/map/tiles/14/3722/6225' })).statusCode).toBe(404);
  } finally {
    await other.close();
  }
});

/** A PMTiles archive (version 3) of tiles by zoom, column and row: header, root directory, metadata, tiles. */
function pmtilesOf(tiles: [z: number, x: number, y: number, data: Uint8Array][], metadata: object): Buffer {
  const sorted = tiles
    .map(([z, x, y, data]) => ({ id: zxyToTileId(z, x, y), z, data }))
    .toSorted((one, other) => one.id - other.id);
  const directory = new PbfWriter();
  const row = (values: number[]) => values.forEach((value) => directory.writeVarint(value));
  row([sorted.length]);
  row(sorted.map(({ id }, n) => id - (sorted[n - 1]?.id ?? 0)));
  row(sorted.map(() => 1));
  row(sorted.map(({ data }) => data.length));
  // Zero: right behind the one before.
  row(sorted.map((_, n) => (n === 0 ? 1 : 0)));
  const root = gzipSync(directory.finish());
  const json = gzipSync(JSON.stringify(metadata));
  const content = Buffer.concat(sorted.map(({ data }) => data));
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  const zooms = sorted.map(({ z }) => z);
  const places = [
    127,
    root.length,
    127 + root.length,
    json.length,
    0,
    0,
    127 + root.length + json.length,
    content.length,
  ];
  for (const [n, value] of [...places, sorted.length, sorted.length, sorted.length].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * n);
  // Clustered; directories and tiles with gzip; vector tiles.
  for (const [n, value] of [1, 2, 2, 1, Math.min(...zooms), Math.max(...zooms)].entries())
    header.writeUInt8(value, 96 + n);
  for (const [n, degrees] of [-98.3, 39.5, -98.1, 39.7].entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * n);
  return Buffer.concat([header, root, json, content]);
}

test('a PMTiles file has the streets of the map, its credit is text, and one that is cut off leaves the world', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pmtiles-'));
  const file = join(folder, 'region.pmtiles');
  const cutter = openTileCutter(town.features, 14);
  const at: [number, number, number][] = [
    [13, 1861, 3112],
    [14, 3722, 6225],
  ];
  const tiles = at.map(([z, x, y]): [number, number, number, Uint8Array] => [z, x, y, cutter.cut(z, x, y)]);
  await writeFile(file, pmtilesOf(tiles, { attribution: '<img src=x onerror=alert(1)>Town <b>survey</b>' }));
  const other = await openTestProduct({ config: { MAP_PMTILES: file } });
  try {
    const answer = (url: string) => other.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    const { sources } = (await answer('/map/style.json')).json<Style>();
    expect(sources.streets?.attribution).toBe('Town survey');
    const { rawPayload, headers } = await answer('/map/tiles/14/3722/6225');
    expect(headers['content-encoding']).toBe('gzip');
    const { layers } = new VectorTile(new PbfReader(gunzipSync(rawPayload)));
    expect(layers.roads?.length).toBeGreaterThan(50);
    expect((await answer('/map/tiles/14/3722/6226')).statusCode).toBe(204);
    expect((await answer('/map/tiles/12/0/0')).statusCode).toBe(404);
  } finally {
    await other.close();
  }
  await writeFile(file, (await readFile(file)).subarray(0, 90));
  const broken = await openTestProduct({ config: { MAP_PMTILES: file } });
  try {
    const style = await broken.app.inject({ url: '/map/style.json' });
    expect(Object.keys(style.json<Style>().sources)).toEqual(['world']);
    expect((await broken.app.inject({ url: '/map/tiles/14/3722/6225' })).statusCode).toBe(404);
  } finally {
    await broken.close();
    await rm(folder, { recursive: true });
  }
});
