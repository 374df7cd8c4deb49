import type { LonLat, MapFeature } from './features.ts';
import { seededRandom, type Random } from './random.ts';

/** The middle of Riverton, the demo's fictional town. There are only fields. */
const middle = { lon: -98.21, lat: 39.61 };
const metresPerDegree = 111_320;
const seed = 40_112;

const blockMetres = 120;
/** Lines of the grid, in each direction. */
const lines = 57;
const centre = (lines - 1) / 2;
/** Every eighth line is an arterial road, and only those have bridges. */
const arterial = 8;
const isArterial = (line: number) => (line - centre) % arterial === 0;
/** The ring road is an octagon of arterials and diagonals; the town ends some blocks outside of it. */
const ring = 24;
const ringCorner = 35;
const outskirts = 27;
const outskirtsCorner = 40;
const riverHalfMetres = 55;

/** Streets that exist in any case, each with at least 60 houses: those of the demo's packages. */
export const mainStreets = [
  'Harbour Street',
  'Mill Lane',
  'Station Road',
  'Chestnut Avenue',
  'Bridge Street',
  'Orchard Close',
  'Market Square',
  'Park Way',
  'Garden Row',
  'Foundry Way',
  'School Hill',
  'Lakeside',
  'Court Square',
];
const mainHouses = 60;

const firsts = (
  'Abbey Acorn Alder Amber Anchor Apple Arbour Ash Aspen Baker Barley Beacon Beech Birch Blossom Bramble Briar Brook Canal Carter Castle Cedar ' +
  'Chapel Cherry Church Clover Cooper Copper Cotton Crane Cress Crown Daisy Dove Eagle Elder Elm Falcon Fern Field Fisher Forge Fox Gate Glebe ' +
  'Granary Grange Grove Hawthorn Hazel Heath Heron Hill Holly Hop Ivy Juniper Kiln King Larch Laurel Lily Linden Lodge Maple Mason Meadow Mercer ' +
  'Moor Moss Myrtle Oak Otter Pear Pine Plum Poplar Priory Quarry Queen Reed Rose Rowan Saddler Sage Smith Sorrel Spring Swan Tanner Thorn Tower ' +
  'Tulip Union Vine Wall Weaver Well Wharf Willow Wren Yew'
).split(' ');
const seconds = ['Street', 'Lane', 'Road', 'Avenue', 'Row', 'Close', 'Drive', 'Terrace', 'Place'];

/** An address of the town, with its place. */
export interface TownAddress {
  street: string;
  postalCode: string;
  city: string;
  country: null;
  place: { lon: number; lat: number; accuracy: 'rooftop'; source: string };
}

/** A piece of a street between two crossings, for a router: `from` and `to` are indexes into `crossings`. */
export interface TownRoad {
  from: number;
  to: number;
  kind: 'highway' | 'major_road' | 'minor_road';
  metres: number;
}

export interface Town {
  addresses: TownAddress[];
  features: MapFeature[];
  /** Every crossing can be reached from every other one. */
  crossings: LonLat[];
  roads: TownRoad[];
}

/** What the gazetteer and the map name as the source of Riverton's addresses. */
export const townSource = 'demo town';
export const townBounds: [west: number, south: number, east: number, north: number] = [-98.26, 39.572, -98.16, 39.648];

type Xy = [x: number, y: number];
interface Node {
  i: number;
  j: number;
  at: Xy;
}
/** Crossings in order along a street, on one line of the grid. */
interface Street {
  nodes: Node[];
  across: boolean;
  kind: 'major_road' | 'minor_road';
  name: string;
}

/** Riverton: streets on a jittered grid with arterials and a ring road, a river with bridges, parks, a lake, houses. The same at each call. */
export function buildTown(): Town {
  const random = seededRandom(seed);
  const nodes = new Map<number, Node>();
  for (let j = 0; j < lines; j += 1)
    for (let i = 0; i < lines; i += 1) {
      const [dx, dy] = [Math.abs(i - centre), Math.abs(j - centre)];
      const jitter = () => (random() - 0.5) * (isArterial(i) || isArterial(j) ? 12 : 40);
      const at: Xy = [(i - centre) * blockMetres + jitter(), (j - centre) * blockMetres + jitter()];
      if (Math.max(dx, dy) > outskirts || dx + dy > outskirtsCorner) continue;
      if (greens.some((green) => isInside(green, i, j)) || isInRiver(at)) continue;
      nodes.set(keyOf(i, j), { i, j, at });
    }

  const streets = [true, false].flatMap((across) =>
    Array.from({ length: lines }, (_, line) => cutStreets(nodes, line, across, random)).flat(),
  );
  const diagonals = ringDiagonals(nodes);
  keepConnected(nodes, streets, diagonals);
  const housed = streets.map((street) => ({ street, sites: sitesOf(street) }));
  nameStreets(housed, random);

  const taken = new Set<string>();
  const addresses: TownAddress[] = [];
  const buildings: MapFeature[] = [];
  for (const { street, sites } of housed)
    for (const { at, toRoad, number } of sites) {
      const cell = `${Math.round(at[0] / 16)} ${Math.round(at[1] / 16)}`;
      // The main streets have all their numbers; elsewhere a corner has one house.
      if (taken.has(cell) && !mainStreets.includes(street.name)) continue;
      taken.add(cell);
      const [lon, lat] = toDegrees(at);
      addresses.push({
        street: `${street.name} ${number}`,
        postalCode: '40112',
        city: 'Riverton',
        country: null,
        place: { lon, lat, accuracy: 'rooftop', source: townSource },
      });
      buildings.push(buildingAt(at, toRoad, `${number}`, random));
    }

  return {
    addresses,
    features: [...ground(), ...roadsOnMap(streets, diagonals), ...buildings],
    ...network(nodes, streets, diagonals),
  };
}

const keyOf = (i: number, j: number) => j * lines + i;
const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
const toDegrees = ([x, y]: Xy): LonLat => [
  round(middle.lon + x / (metresPerDegree * Math.cos((middle.lat * Math.PI) / 180))),
  round(middle.lat + y / metresPerDegree),
];

/** The middle of the river at a height of the town. */
const riverX = (y: number) => 420 * Math.sin(y / 1150) + 130 * Math.sin(y / 410 + 1) - 500;
const isInRiver = ([x, y]: Xy) => Math.abs(x - riverX(y)) < riverHalfMetres + 25;

/** Parks and the lake, in lines of the grid: nothing is built between their edges. */
interface Green {
  i: [number, number];
  j: [number, number];
  kind: 'park' | 'water';
  name: string;
}
const greens: Green[] = [
  { i: [30, 35], j: [30, 35], kind: 'park', name: 'City Park' },
  { i: [9, 14], j: [37, 42], kind: 'park', name: 'Abbey Gardens' },
  { i: [38, 43], j: [9, 12], kind: 'park', name: 'South Common' },
  { i: [12, 15], j: [14, 19], kind: 'park', name: 'Mill Meadow' },
  { i: [41, 47], j: [38, 42], kind: 'water', name: 'Heron Lake' },
  { i: [29, 31], j: [17, 19], kind: 'park', name: 'School Green' },
];
const isInside = (green: Green, i: number, j: number) =>
  i > green.i[0] && i < green.i[1] && j > green.j[0] && j < green.j[1];

/** The streets of one line of the grid. A street ends at the river, unless its line has bridges, and after some blocks. */
function cutStreets(nodes: Map<number, Node>, line: number, across: boolean, random: Random): Street[] {
  const streets: Street[] = [];
  const main = isArterial(line);
  let current: Node[] = [];
  let longest = 0;
  const end = () => {
    if (current.length > 1)
      streets.push({ nodes: current, across, kind: main ? 'major_road' : 'minor_road', name: '' });
    current = [];
    longest = main ? 16 : 7 + Math.floor(random() * 7);
  };
  end();
  for (let along = 0; along < lines; along += 1) {
    const node = nodes.get(across ? keyOf(along, line) : keyOf(line, along));
    if (!node) {
      // A road with bridges goes on at the other bank.
      if (!main || !isInRiverAt(along, line, across)) end();
      continue;
    }
    const before = current.at(-1);
    const crossesRiver = before && !main && !isSameBank(before.at, node.at);
    // Missing pieces make the blocks uneven.
    const isMissing = before && !main && random() < 0.06;
    if (crossesRiver || isMissing) end();
    current.push(node);
    if (current.length > longest) {
      end();
      current.push(node);
    }
  }
  end();
  return streets;
}

const isInRiverAt = (along: number, line: number, across: boolean) => {
  const [i, j] = across ? [along, line] : [line, along];
  return (
    isInRiver([(i - centre) * blockMetres, (j - centre) * blockMetres]) ||
    isInRiver([(i - centre) * blockMetres + 6, (j - centre) * blockMetres])
  );
};
const isSameBank = (one: Xy, other: Xy) => one[0] > riverX(one[1]) === other[0] > riverX(other[1]);

/** The corners of the ring road, as pairs of crossings that it joins. */
function ringDiagonals(nodes: Map<number, Node>): [Node, Node][] {
  const side = ringCorner - ring;
  const found: [Node, Node][] = [];
  for (const [sx, sy] of [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ] as const)
    for (let step = 0; step < ring - side; step += 1) {
      const one = nodes.get(keyOf(centre + sx * (side + step), centre + sy * (ring - step)));
      const other = nodes.get(keyOf(centre + sx * (side + step + 1), centre + sy * (ring - step - 1)));
      if (one && other) found.push([one, other]);
    }
  return found;
}

const pairsOf = <T>(list: T[]): [T, T][] =>
  list.slice(1).flatMap((item, index) => {
    const before = list[index];
    return before === undefined ? [] : [[before, item] as [T, T]];
  });
const isRing = ([one, other]: [Node, Node]) => {
  const onSide = ({ i, j }: Node) => {
    const [dx, dy] = [Math.abs(i - centre), Math.abs(j - centre)];
    return Math.max(dx, dy) === ring && dx + dy <= ringCorner;
  };
  return onSide(one) && onSide(other);
};

/** Removes streets and crossings that cannot be reached from the middle of the town. */
function keepConnected(nodes: Map<number, Node>, streets: Street[], diagonals: [Node, Node][]): void {
  const neighbours = new Map<Node, Node[]>();
  const join = ([one, other]: [Node, Node]) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
  };
  for (const { nodes: along } of streets) pairsOf(along).forEach(join);
  diagonals.forEach(join);
  const start = nodes.get(keyOf(centre, centre));
  const reached = new Set<Node>();
  const queue = start ? [start] : [];
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    queue.push(...(neighbours.get(node) ?? []));
  }
  for (const [key, node] of nodes) if (!reached.has(node)) nodes.delete(key);
  const kept = streets.filter(({ nodes: [first] }) => first && reached.has(first));
  streets.splice(0, streets.length, ...kept);
}

interface Site {
  at: Xy;
  toRoad: Xy;
  number: number;
}

/** Odd numbers on the left, even ones on the right; more houses in the middle of the town. */
function sitesOf({ nodes }: Street): Site[] {
  let odd = -1;
  let even = 0;
  return pairsOf(nodes).flatMap(([one, other]) => {
    const [dx, dy] = [other.at[0] - one.at[0], other.at[1] - one.at[1]];
    const metres = Math.hypot(dx, dy);
    if (metres > blockMetres * 1.6) return [];
    const [ux, uy] = [dx / metres, dy / metres];
    const away = Math.max(Math.abs(one.i - centre), Math.abs(one.j - centre));
    const houses = away < 10 ? 3 : away < 18 ? 2 : 1;
    return Array.from({ length: houses * 2 }, (_, index): Site[] => {
      const isLeft = index % 2 === 0;
      const along = 24 + ((metres - 48) * (Math.floor(index / 2) + 0.5)) / houses;
      const side = isLeft ? 17 : -17;
      const at: Xy = [one.at[0] + ux * along - uy * side, one.at[1] + uy * along + ux * side];
      if (Math.abs(at[0] - riverX(at[1])) < riverHalfMetres + 14) return [];
      return [{ at, toRoad: isLeft ? [uy, -ux] : [-uy, ux], number: isLeft ? (odd += 2) : (even += 2) }];
    }).flat();
  });
}

interface Housed {
  street: Street;
  sites: Site[];
}

/** The main streets are those with houses enough, spread over the town; the others get names in a mixed order. */
function nameStreets(housed: Housed[], random: Random): void {
  const long = housed.filter(({ sites }) => hasNumbers(sites, mainHouses));
  const every = Math.max(1, Math.floor(long.length / mainStreets.length));
  for (const [index, name] of mainStreets.entries()) {
    const chosen = long[index * every];
    if (!chosen) throw new Error('the town has too few long streets');
    chosen.street.name = name;
  }
  const names = seconds.flatMap((second) => firsts.map((first) => `${first} ${second}`));
  for (let index = names.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [names[index], names[other]] = [names[other] ?? '', names[index] ?? ''];
  }
  for (const { street } of housed) if (street.name === '') street.name = names.pop() ?? 'Long Street';
}

const hasNumbers = (sites: Site[], count: number) => {
  const numbers = new Set(sites.map(({ number }) => number));
  return Array.from({ length: count }, (_, index) => index + 1).every((number) => numbers.has(number));
};

function buildingAt([x, y]: Xy, [tx, ty]: Xy, houseNumber: string, random: Random): MapFeature {
  const width = 5 + random() * 3.5;
  const depth = 4.5 + random() * 3;
  const corner = (along: number, back: number): LonLat =>
    toDegrees([x - ty * along - tx * back, y + tx * along - ty * back]);
  const outline = [corner(-width, -depth), corner(width, -depth), corner(width, depth), corner(-width, depth)];
  return {
    layer: 'buildings',
    kind: 'building',
    minZoom: 14,
    houseNumber,
    geometry: { type: 'Polygon', coordinates: [close(outline)] },
  };
}

const close = (outline: LonLat[]): LonLat[] => (outline[0] ? [...outline, outline[0]] : []);

function roadsOnMap(streets: Street[], diagonals: [Node, Node][]): MapFeature[] {
  const onRing = streets.flatMap(({ nodes }) => pairsOf(nodes).filter(isRing));
  return [
    ...streets.map(({ nodes, kind, name }): MapFeature => ({
      layer: 'roads',
      kind,
      minZoom: kind === 'major_road' ? 9 : 12,
      name,
      geometry: { type: 'LineString', coordinates: nodes.map(({ at }) => toDegrees(at)) },
    })),
    {
      layer: 'roads',
      kind: 'highway',
      minZoom: 8,
      name: 'Ring Road',
      geometry: {
        type: 'MultiLineString',
        coordinates: [...onRing, ...diagonals].map((pair) => pair.map(({ at }) => toDegrees(at))),
      },
    },
  ];
}

function ground(): MapFeature[] {
  const at = (i: number, j: number, inset = 0): LonLat =>
    toDegrees([(i - centre) * blockMetres + inset, (j - centre) * blockMetres + inset]);
  const cut = outskirtsCorner - outskirts;
  const octagon = (
    [
      [cut, outskirts],
      [outskirts, cut],
      [outskirts, -cut],
      [cut, -outskirts],
      [-cut, -outskirts],
      [-outskirts, -cut],
      [-outskirts, cut],
      [-cut, outskirts],
    ] as const
  ).map(([i, j]) => at(centre + i * 1.03, centre + j * 1.03));
  const heights = Array.from({ length: 161 }, (_, index) => (index - 80) * 55);
  const bank = (side: number) => heights.map((y): LonLat => toDegrees([riverX(y) + side * riverHalfMetres, y]));
  return [
    {
      layer: 'landuse',
      kind: 'residential',
      minZoom: 8,
      geometry: { type: 'Polygon', coordinates: [close(octagon)] },
    },
    ...greens.map((green): MapFeature => {
      const [west, east] = [(green.i[0] - centre) * blockMetres + 30, (green.i[1] - centre) * blockMetres - 30];
      const [south, north] = [(green.j[0] - centre) * blockMetres + 30, (green.j[1] - centre) * blockMetres - 30];
      return {
        layer: green.kind === 'water' ? 'water' : 'landuse',
        kind: green.kind === 'water' ? 'lake' : 'park',
        minZoom: 10,
        name: green.name,
        geometry: { type: 'Polygon', coordinates: [close(rounded(west, south, east, north))] },
      };
    }),
    {
      layer: 'water',
      kind: 'river',
      minZoom: 8,
      name: 'River Wend',
      geometry: { type: 'Polygon', coordinates: [close([...bank(1), ...bank(-1).toReversed()])] },
    },
    {
      layer: 'places',
      kind: 'locality',
      minZoom: 5,
      name: 'Riverton',
      rank: 9,
      geometry: { type: 'Point', coordinates: [middle.lon, middle.lat] },
    },
  ];
}

/** A rectangle with round corners. */
function rounded(west: number, south: number, east: number, north: number): LonLat[] {
  const radius = Math.min(east - west, north - south) / 3;
  return [
    [east - radius, north - radius, 0],
    [west + radius, north - radius, 1],
    [west + radius, south + radius, 2],
    [east - radius, south + radius, 3],
  ].flatMap(([x = 0, y = 0, quarter = 0]) =>
    Array.from({ length: 7 }, (_, step) => {
      const angle = ((quarter + step / 6) * Math.PI) / 2;
      return toDegrees([x + radius * Math.cos(angle), y + radius * Math.sin(angle)]);
    }),
  );
}

/** The roads for a router. */
function network(
  nodes: Map<number, Node>,
  streets: Street[],
  diagonals: [Node, Node][],
): Pick<Town, 'crossings' | 'roads'> {
  const indexes = new Map([...nodes.values()].map((node, index) => [node, index]));
  const roads = [
    ...streets.flatMap(({ nodes: along, kind }) => pairsOf(along).map((pair) => ({ pair, kind }))),
    ...diagonals.map((pair) => ({ pair, kind: 'highway' as const })),
  ];
  return {
    crossings: [...nodes.values()].map(({ at }) => toDegrees(at)),
    roads: roads.map(({ pair: [one, other], kind }) => ({
      from: indexes.get(one) ?? 0,
      to: indexes.get(other) ?? 0,
      kind: isRing([one, other]) ? 'highway' : kind,
      metres: Math.round(Math.hypot(other.at[0] - one.at[0], other.at[1] - one.at[1])),
    })),
  };
}
