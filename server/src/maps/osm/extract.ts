import { ExtractError, readBlocks } from './blocks.ts';
import { readElements, type Tags } from './elements.ts';
import { drawnAs, drivenAs, placeKinds, type Drawn, type Driven } from './kinds.ts';

/** What an address is named and where, in ten-millionths of a degree. */
export interface FoundAddress {
  street: string;
  postalCode: string | null;
  city: string;
  country: string | null;
  lon: number;
  lat: number;
}

export interface Way {
  drawn: Drawn | null;
  driven: Driven | null;
  name: string | null;
  houseNumber: string | null;
  /** Its points: the first index into `points`, and how many. */
  from: number;
  count: number;
}

export interface NamedPlace {
  name: string;
  kind: string;
  lon: number;
  lat: number;
}

/** The parts of an extract that maps, addresses and driving times need. */
export interface Extract {
  ways: Way[];
  /** Of all ways: indexes into `lons` and `lats`, or -1 for a point that the extract lacks. */
  points: Int32Array;
  lons: Int32Array;
  lats: Int32Array;
  addresses: FoundAddress[];
  places: NamedPlace[];
}

export interface ExtractLimits {
  ways: number;
  points: number;
  addresses: number;
}

/** What fits into the memory of the thread that reads it. */
const usualLimits: ExtractLimits = { ways: 4_000_000, points: 30_000_000, addresses: 3_000_000 };

/** Of a town whose addresses do not name it. */
const nearbyDegrees = 1_200_000;

interface OpenAddress {
  tags: Pick<FoundAddress, 'street' | 'postalCode' | 'country'> & { city: string | null };
  lon: number;
  lat: number;
  /** The way that it is in the middle of; -1 for a node. */
  way: number;
}

/**
 * Reads an extract twice: first its ways, then the points that they need. Memory grows with those alone, and is bounded.
 * @throws ExtractError for a file that cannot be read, or has too much in it
 */
export async function readExtract(
  file: string,
  onProgress: (part: number) => void = () => undefined,
  limits = usualLimits,
): Promise<Extract> {
  const ways: Way[] = [];
  const refs = growing();
  const places: NamedPlace[] = [];
  const open: OpenAddress[] = [];
  const tooMuch = (what: string) =>
    new ExtractError(`The extract has too many ${what} to be read here. Please cut out a smaller region.`);
  const addAddress = (tags: Tags, lon: number, lat: number, way: number) => {
    const address = addressOf(tags);
    if (address && open.push({ tags: address, lon, lat, way }) > limits.addresses) throw tooMuch('addresses');
  };

  await readBlocks(
    file,
    (block) =>
      readElements(block, {
        node: (lon, lat, tags) => {
          addAddress(tags, lon, lat, -1);
          const kind = tags.get('place') ?? '';
          const name = tags.get('name');
          if (name && Object.hasOwn(placeKinds, kind)) places.push({ name, kind, lon, lat });
        },
        way: (way, tags) => {
          const drawn = drawnAs(tags, way.length > 3 && way[0] === way.at(-1));
          const driven = drivenAs(tags);
          const hasAddress = tags.has('addr:housenumber');
          if (!drawn && !driven && !hasAddress) return;
          const from = refs.length();
          refs.add(way);
          ways.push({
            drawn,
            driven,
            name: tags.get('name') ?? null,
            houseNumber: tags.get('addr:housenumber') ?? null,
            from,
            count: way.length,
          });
          if (hasAddress) addAddress(tags, 0, 0, ways.length - 1);
          if (ways.length > limits.ways) throw tooMuch('roads and buildings');
          if (refs.length() > limits.points) throw tooMuch('points');
        },
      }),
    (bytes, of) => onProgress((bytes / of) * 0.5),
  );

  const all = refs.all();
  const ids = distinct(all);
  const lons = new Int32Array(ids.length).fill(unknown);
  const lats = new Int32Array(ids.length);
  await readBlocks(
    file,
    (block) =>
      readElements(block, {
        point: (id, lon, lat) => {
          const at = indexOf(ids, id);
          if (at === -1) return;
          lons[at] = lon;
          lats[at] = lat;
        },
      }),
    (bytes, of) => onProgress(0.5 + (bytes / of) * 0.5),
  );
  const points = new Int32Array(all.length);
  for (let n = 0; n < all.length; n++) {
    const at = indexOf(ids, all[n] ?? NaN);
    points[n] = at === -1 || lons[at] === unknown ? -1 : at;
  }
  const extract: Extract = { ways, points, lons, lats, addresses: [], places };
  extract.addresses = open.flatMap((address) => placed(extract, address));
  return extract;
}

const unknown = 2_147_483_647;

/** An address that names no town is in the nearest one. */
function placed(extract: Extract, { tags, lon, lat, way }: OpenAddress): FoundAddress[] {
  const at = way === -1 ? { lon, lat } : middleOf(extract, extract.ways[way]);
  const city = tags.city ?? (at && nearestTown(extract.places, at.lon, at.lat));
  return at && city ? [{ ...tags, city, ...at }] : [];
}

/** The middle of the box around a way. */
function middleOf({ points, lons, lats }: Extract, way: Way | undefined): { lon: number; lat: number } | null {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let n = way?.from ?? 0, end = n + (way?.count ?? 0); n < end; n++) {
    const point = points[n] ?? -1;
    if (point === -1) continue;
    const [lon, lat] = [lons[point] ?? 0, lats[point] ?? 0];
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return west <= east ? { lon: Math.round((west + east) / 2), lat: Math.round((south + north) / 2) } : null;
}

function nearestTown(places: NamedPlace[], lon: number, lat: number): string | null {
  let best: { name: string; distance: number } | null = null;
  const narrow = Math.cos(((lat / 1e7) * Math.PI) / 180);
  for (const place of places) {
    if (place.kind === 'suburb') continue;
    const distance = Math.hypot((place.lon - lon) * narrow, place.lat - lat);
    if (distance <= nearbyDegrees && (!best || distance < best.distance)) best = { name: place.name, distance };
  }
  return best?.name ?? null;
}

/** Where the number stands before the street. */
const numberFirst = new Set(['US', 'CA', 'GB', 'IE', 'FR', 'AU', 'NZ', 'LU', 'IN', 'ZA']);

function addressOf(tags: Tags): OpenAddress['tags'] | null {
  const number = tags.get('addr:housenumber');
  const name = tags.get('addr:street') ?? tags.get('addr:place');
  if (!number || !name) return null;
  const country = tags.get('addr:country')?.toUpperCase() ?? null;
  const street = country && numberFirst.has(country) ? `${number} ${name}` : `${name} ${number}`;
  if (street.length > 200) return null;
  return {
    street,
    postalCode: tags.get('addr:postcode')?.slice(0, 20) || null,
    city: tags.get('addr:city')?.slice(0, 120) || null,
    country: country?.slice(0, 80) ?? null,
  };
}

/** Numbers in a row, in memory that doubles. */
function growing() {
  let numbers = new Float64Array(1 << 16);
  let length = 0;
  return {
    length: () => length,
    add(more: number[]) {
      if (length + more.length > numbers.length) {
        const larger = new Float64Array(Math.max(numbers.length * 2, length + more.length));
        larger.set(numbers);
        numbers = larger;
      }
      numbers.set(more, length);
      length += more.length;
    },
    all: () => numbers.subarray(0, length),
  };
}

function distinct(numbers: Float64Array): Float64Array {
  const sorted = numbers.toSorted();
  let length = 0;
  for (const number of sorted) if (length === 0 || sorted[length - 1] !== number) sorted[length++] = number;
  return sorted.subarray(0, length);
}

function indexOf(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle] ?? NaN;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
