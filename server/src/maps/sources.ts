import { open, stat, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { PMTiles, TileType } from 'pmtiles';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import { makeTile } from './made-tiles.ts';
import { townBounds, townSource } from './town.ts';
import { extractMaxZoom, extractMinZoom, townMaxZoom, townMinZoom, worldMaxZoom } from './zooms.ts';

/** Where streets come from. */
export interface StreetSource {
  /** Changes with its content, so that browsers may keep its tiles. */
  version: string;
  minZoom: number;
  maxZoom: number;
  bounds: [west: number, south: number, east: number, north: number];
  kind: 'vector' | 'raster';
  type: string;
  /** HTML, from texts of ours alone. */
  credit: string;
  /** Gzipped if it is a vector tile; empty where there is nothing. */
  read(z: number, x: number, y: number): Promise<Uint8Array>;
}

export const openStreetMapCredit =
  '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">© OpenStreetMap contributors</a>';
export const worldCredit =
  '<a href="https://www.naturalearthdata.com" target="_blank" rel="noreferrer">Natural Earth</a> · <a href="https://www.geonames.org" target="_blank" rel="noreferrer">GeoNames</a>';

const vectorType = 'application/vnd.mapbox-vector-tile';
const zip = promisify(gzip);

export interface MapSources {
  world(z: number, x: number, y: number): Promise<Uint8Array>;
  streets(): Promise<StreetSource | null>;
}

const cacheBytes = 24 * 1024 * 1024;
/** Until a town, or a new file, is noticed. */
const lookAgainMs = 30_000;

export function openMapSources(ctx: Pick<Ctx, 'config' | 'db' | 'feed' | 'log'>): MapSources {
  const cache = new LRUCache<string, Uint8Array>({ maxSize: cacheBytes, sizeCalculation: (tile) => tile.length + 100 });
  const cached = async (key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const known = cache.get(key);
    if (known) return known;
    const made = await make();
    cache.set(key, made);
    return made;
  };
  let found: { at: number; source: Promise<StreetSource | null> } | null = null;
  ctx.feed.subscribe((events) => {
    if (events.some(({ type }) => type === 'map.imported' || type === 'map.removed')) found = null;
  });
  const find = async (): Promise<StreetSource | null> => {
    const { MAP_PMTILES: file } = ctx.config;
    if (file) return openPmtiles(file);
    return (await findExtract(ctx.db)) ?? ((await hasTown(ctx.db)) ? town : null);
  };
  return {
    world: (z, x, y) =>
      z > worldMaxZoom
        ? Promise.resolve(nothing)
        : cached(`world ${z} ${x} ${y}`, () => makeTile({ of: 'world', z, x, y })),
    async streets() {
      if (!found || performance.now() - found.at > lookAgainMs) {
        const source = find().catch((error: unknown) => {
          ctx.log.warn(
            { reason: error instanceof Error ? error.message : String(error) },
            'the streets of the map cannot be read',
          );
          return null;
        });
        found = { at: performance.now(), source };
      }
      const source = await found.source;
      if (!source) return null;
      return { ...source, read: (z, x, y) => cached(`${source.version} ${z} ${x} ${y}`, () => source.read(z, x, y)) };
    },
  };
}

const nothing = new Uint8Array();

/** Riverton is where its addresses are known: in an installation with the demo's data. */
export async function hasTown(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ known: boolean }>(
    `select exists (select from gazetteer where key = $1 and source = $2) as known`,
    ['mill lane 1\n40112\nriverton', townSource],
  );
  return row?.known === true;
}

/** The extract of OpenStreetMap that was imported last. */
async function findExtract(db: Queryable): Promise<StreetSource | null> {
  const [extract] = await db.query<{ id: string; west: number; south: number; east: number; north: number }>(
    'select id, west, south, east, north from map_extracts where is_current',
  );
  if (!extract) return null;
  const { id, west, south, east, north } = extract;
  return {
    version: `osm-${id}`,
    minZoom: extractMinZoom,
    maxZoom: extractMaxZoom,
    bounds: [west, south, east, north],
    kind: 'vector',
    type: vectorType,
    credit: openStreetMapCredit,
    async read(z, x, y) {
      const [tile] = await db.query<{ data: Buffer }>(
        'select data from map_tiles where extract_id = $1 and z = $2 and x = $3 and y = $4',
        [id, z, x, y],
      );
      return tile?.data ?? nothing;
    },
  };
}

const town: StreetSource = {
  version: 'riverton-1',
  minZoom: townMinZoom,
  maxZoom: townMaxZoom,
  bounds: townBounds,
  kind: 'vector',
  type: vectorType,
  credit: 'Riverton is invented',
  read: (z, x, y) => makeTile({ of: 'town', z, x, y }),
};

const rasterTypes: Partial<Record<TileType, string>> = {
  [TileType.Png]: 'image/png',
  [TileType.Jpeg]: 'image/jpeg',
  [TileType.Webp]: 'image/webp',
  [TileType.Avif]: 'image/avif',
};

/** @throws Error for a file that is missing, or is not one of PMTiles */
async function openPmtiles(file: string): Promise<StreetSource> {
  const { size, mtimeMs } = await stat(file);
  const archive = new PMTiles({
    getKey: () => file,
    async getBytes(offset, length) {
      await using handle = await openFile(file);
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await handle.file.read(bytes, 0, length, offset);
      return { data: new Uint8Array(bytes.subarray(0, bytesRead)).buffer };
    },
  });
  const header = await archive.getHeader();
  const metadata = (await archive.getMetadata().catch(() => null)) as { attribution?: unknown } | null;
  const raster = rasterTypes[header.tileType];
  return {
    version: `pmtiles-${size}-${Math.round(mtimeMs)}`,
    minZoom: header.minZoom,
    maxZoom: header.maxZoom,
    bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
    kind: raster ? 'raster' : 'vector',
    type: raster ?? vectorType,
    credit: creditOf(metadata?.attribution),
    async read(z, x, y) {
      const tile = await archive.getZxy(z, x, y);
      if (!tile) return nothing;
      const bytes = new Uint8Array(tile.data);
      return raster ? bytes : zip(bytes);
    },
  };
}

async function openFile(path: string): Promise<{ file: FileHandle } & AsyncDisposable> {
  const file = await open(path);
  return { file, [Symbol.asyncDispose]: () => file.close() };
}

/** What a file says of itself is shown as text; nearly all of them are made of OpenStreetMap, which asks for a link. */
function creditOf(attribution: unknown): string {
  if (typeof attribution !== 'string' || /openstreetmap/i.test(attribution)) return openStreetMapCredit;
  return attribution
    .replace(/<[^>]*>/g, '')
    .replace(/[<>&"]/g, ' ')
    .trim()
    .slice(0, 200);
}
