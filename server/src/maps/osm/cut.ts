import type { LonLat, MapFeature } from '../features.ts';
import { openTileCutter } from '../tiles.ts';
import { extractMaxZoom } from '../zooms.ts';
import type { Extract, Way } from './extract.ts';
import { placeKinds } from './kinds.ts';

export interface CutTile {
  z: number;
  x: number;
  y: number;
  data: Uint8Array;
}

/** Tiles are cut in groups that share the one of the first zoom, so that only its features are in memory as objects. */
const groups = [
  { zoom: 6, last: 8 },
  { zoom: 9, last: 11 },
  { zoom: 12, last: extractMaxZoom },
];
/** As much as the cutter lets a feature stick out of its tile: 64 of 4,096. */
const margin = 1 / 64;

/** The tiles of an extract that are not empty, zoom by zoom. */
export function* cutTiles(extract: Extract, onProgress: (part: number) => void = () => undefined): Generator<CutTile> {
  for (const [index, { zoom, last }] of groups.entries()) {
    const cells = inCells(extract, zoom, last);
    let done = 0;
    for (const [cell, members] of cells) {
      const [x, y] = [cell % 2 ** zoom, Math.floor(cell / 2 ** zoom)];
      const features = members.flatMap((member) => featureOf(extract, member));
      const cutter = openTileCutter(features, last);
      for (let z = zoom; z <= last; z++) {
        const side = 2 ** (z - zoom);
        for (let n = 0; n < side * side; n++) {
          const at = { z, x: x * side + (n % side), y: y * side + Math.floor(n / side) };
          const data = cutter.cut(at.z, at.x, at.y);
          if (data.length > 0) yield { ...at, data };
        }
      }
      onProgress((index + ++done / cells.size) / groups.length);
    }
  }
}

/** Ways by their index; places below zero. */
function inCells(extract: Extract, zoom: number, last: number): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  const add = (member: number, [west, south, east, north]: number[]) => {
    const [left, right] = [tileX((west ?? 0) / 1e7, zoom) - margin, tileX((east ?? 0) / 1e7, zoom) + margin];
    const [top, bottom] = [tileY((north ?? 0) / 1e7, zoom) - margin, tileY((south ?? 0) / 1e7, zoom) + margin];
    const limit = 2 ** zoom - 1;
    for (let y = Math.max(0, Math.floor(top)); y <= Math.min(limit, Math.floor(bottom)); y++)
      for (let x = Math.max(0, Math.floor(left)); x <= Math.min(limit, Math.floor(right)); x++) {
        const cell = y * 2 ** zoom + x;
        const members = cells.get(cell);
        if (members) members.push(member);
        else cells.set(cell, [member]);
      }
  };
  for (const [index, way] of extract.ways.entries()) {
    if (!way.drawn || way.drawn.minZoom > last) continue;
    const box = boxOf(extract, way);
    if (box) add(index, box);
  }
  for (const [index, { kind, lon, lat }] of extract.places.entries())
    if ((placeKinds[kind]?.[1] ?? Infinity) <= last) add(-1 - index, [lon, lat, lon, lat]);
  return cells;
}

/** West, south, east, north; null for a way without points, or one that no town is as long as. */
export function boxOf({ points, lons, lats }: Extract, { from, count }: Way): [number, number, number, number] | null {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let n = from; n < from + count; n++) {
    const point = points[n] ?? -1;
    if (point === -1) continue;
    const [lon, lat] = [lons[point] ?? 0, lats[point] ?? 0];
    box[0] = Math.min(box[0], lon);
    box[1] = Math.min(box[1], lat);
    box[2] = Math.max(box[2], lon);
    box[3] = Math.max(box[3], lat);
  }
  return box[0] <= box[2] && box[2] - box[0] <= longest && box[3] - box[1] <= longest ? box : null;
}

/** Two degrees: what is longer is a ferry, or made to fill the disk with tiles. */
const longest = 20_000_000;

const tileX = (lon: number, zoom: number) => ((lon + 180) / 360) * 2 ** zoom;
function tileY(lat: number, zoom: number): number {
  const sine = Math.sin((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom;
}

function featureOf(extract: Extract, member: number): MapFeature[] {
  if (member < 0) {
    const place = extract.places[-1 - member];
    if (!place) return [];
    const [rank = 0, minZoom = 0] = placeKinds[place.kind] ?? [];
    const coordinates: LonLat = [place.lon / 1e7, place.lat / 1e7];
    return [
      { layer: 'places', kind: 'locality', name: place.name, rank, minZoom, geometry: { type: 'Point', coordinates } },
    ];
  }
  const way = extract.ways[member];
  if (!way?.drawn) return [];
  const { isArea, ...drawn } = way.drawn;
  const line: LonLat[] = [];
  for (let n = way.from; n < way.from + way.count; n++) {
    const point = extract.points[n] ?? -1;
    if (point !== -1) line.push([(extract.lons[point] ?? 0) / 1e7, (extract.lats[point] ?? 0) / 1e7]);
  }
  if (line.length < (isArea ? 4 : 2)) return [];
  return [
    {
      ...drawn,
      ...(way.name !== null && drawn.layer !== 'buildings' && { name: way.name }),
      ...(way.houseNumber !== null && drawn.layer === 'buildings' && { houseNumber: way.houseNumber }),
      geometry: isArea ? { type: 'Polygon', coordinates: [line] } : { type: 'LineString', coordinates: line },
    },
  ];
}
