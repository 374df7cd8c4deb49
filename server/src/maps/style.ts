import type { StreetSource } from './sources.ts';
import { worldCredit } from './sources.ts';
import { worldMaxZoom } from './zooms.ts';

type Theme = 'light' | 'dark';

/** Quiet colours out of the tokens of `web/src/styles.css`: colour is reserved for packages and drivers. */
const palettes = {
  light: {
    sea: '#dbe5f1',
    earth: '#f7f8fa',
    town: '#f0f2f5',
    park: '#dfecdd',
    water: '#c9dbf0',
    building: '#e4e7ed',
    street: '#ffffff',
    streetEdge: '#dde1e8',
    major: '#ffffff',
    majorEdge: '#c9d0db',
    highway: '#fdebc8',
    highwayEdge: '#dcc391',
    border: '#a9b3c2',
    text: '#475467',
    textWater: '#3c628f',
    halo: '#f7f8fa',
  },
  dark: {
    sea: '#0d1726',
    earth: '#11151d',
    town: '#151a24',
    park: '#13231b',
    water: '#12263f',
    building: '#1d2430',
    street: '#29313f',
    streetEdge: '#1a202b',
    major: '#38435a',
    majorEdge: '#1a202b',
    highway: '#5a4d33',
    highwayEdge: '#1a202b',
    border: '#4a566a',
    text: '#aeb9c9',
    textWater: '#7ea3d4',
    halo: '#0a0d13',
  },
} satisfies Record<Theme, Record<string, string>>;

/** By zoom, growing in between. */
const width = (...stops: number[]) => ['interpolate', ['exponential', 1.5], ['zoom'], ...stops];
// The browser's own fonts: glyph files would be another request per alphabet.
const font = { 'text-font': ['sans-serif'] };

/** The style of the built-in map, for MapLibre: the world, and streets where an installation has them. */
export function styleOf(theme: Theme, streets: StreetSource | null): object {
  const colour = palettes[theme];
  const kindIs = (...kinds: string[]) => ['in', ['get', 'kind'], ['literal', kinds]];
  const named = {
    'text-color': colour.text,
    'text-halo-color': colour.halo,
    'text-halo-width': 1.4,
  };
  const layersOf = (source: string) => ({
    fill: (id: string, layer: string, filter: unknown[] | null, fill: string, minzoom = 0) => ({
      id,
      type: 'fill',
      source,
      'source-layer': layer,
      minzoom,
      ...(filter && { filter }),
      paint: { 'fill-color': fill },
    }),
    road: (id: string, kinds: string[], paint: string, line: unknown, minzoom: number) => ({
      id,
      type: 'line',
      source,
      'source-layer': 'roads',
      minzoom,
      filter: kindIs(...kinds),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': paint, 'line-width': line },
    }),
    place: (id: string, sizes: [number, number], maxzoom: number) => ({
      id,
      type: 'symbol',
      source,
      'source-layer': 'places',
      maxzoom,
      filter: ['in', ['get', 'kind'], ['literal', ['locality', 'country', 'region']]],
      layout: {
        ...font,
        'text-field': ['get', 'name'],
        'text-size': [
          'interpolate',
          ['linear'],
          ['coalesce', ['get', 'population_rank'], 5],
          1,
          sizes[0],
          10,
          sizes[1],
        ],
        'symbol-sort-key': ['-', 0, ['coalesce', ['get', 'population_rank'], 0]],
        'text-padding': 6,
      },
      paint: named,
    }),
  });
  const world = layersOf('world');
  const own = layersOf('streets');
  const vector = streets?.kind === 'vector';
  return {
    version: 8,
    name: `Waybill ${theme}`,
    sources: {
      world: {
        type: 'vector',
        tiles: ['/map/world/{z}/{x}/{y}?v=1'],
        maxzoom: worldMaxZoom,
        attribution: worldCredit,
      },
      ...(streets && {
        streets: {
          type: streets.kind,
          tiles: [`/map/tiles/{z}/{x}/{y}?v=${encodeURIComponent(streets.version)}`],
          minzoom: streets.minZoom,
          maxzoom: streets.maxZoom,
          bounds: streets.bounds,
          attribution: streets.credit,
          ...(!vector && { tileSize: 256 }),
        },
      }),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colour.sea } },
      world.fill('land', 'earth', null, colour.earth),
      {
        id: 'borders',
        type: 'line',
        source: 'world',
        'source-layer': 'boundaries',
        paint: { 'line-color': colour.border, 'line-width': 0.8, 'line-dasharray': [3, 2] },
      },
      ...(vector
        ? [
            own.fill('earth', 'earth', null, colour.earth),
            own.fill('town', 'landuse', kindIs('residential', 'urban_area'), colour.town),
            own.fill(
              'parks',
              'landuse',
              kindIs('park', 'forest', 'wood', 'grass', 'nature_reserve', 'cemetery'),
              colour.park,
            ),
            {
              ...own.fill('water', 'water', ['==', ['geometry-type'], 'Polygon'], colour.water),
            },
            {
              id: 'streams',
              type: 'line',
              source: 'streets',
              'source-layer': 'water',
              filter: ['==', ['geometry-type'], 'LineString'],
              paint: { 'line-color': colour.water, 'line-width': width(10, 0.6, 16, 5) },
            },
            own.fill('buildings', 'buildings', null, colour.building, 14),
            own.road('paths', ['path'], colour.streetEdge, width(14, 0.8, 18, 3), 14),
            {
              id: 'rails',
              type: 'line',
              source: 'streets',
              'source-layer': 'roads',
              minzoom: 11,
              filter: kindIs('rail'),
              paint: { 'line-color': colour.border, 'line-width': 1, 'line-dasharray': [4, 3] },
            },
            own.road('street-edges', ['minor_road', 'other'], colour.streetEdge, width(12, 0.9, 15, 7, 18, 22), 12),
            own.road('major-edges', ['major_road'], colour.majorEdge, width(9, 1.2, 15, 10, 18, 30), 9),
            own.road('highway-edges', ['highway'], colour.highwayEdge, width(7, 1.6, 15, 12, 18, 36), 5),
            own.road('street', ['minor_road', 'other'], colour.street, width(12, 0.5, 15, 5, 18, 19), 13),
            own.road('major', ['major_road'], colour.major, width(9, 0.6, 15, 8, 18, 26), 10),
            own.road('highway', ['highway'], colour.highway, width(7, 0.8, 15, 9.5, 18, 31), 7),
            {
              id: 'street-names',
              type: 'symbol',
              source: 'streets',
              'source-layer': 'roads',
              minzoom: 14,
              layout: {
                ...font,
                'text-field': ['get', 'name'],
                'symbol-placement': 'line',
                'text-size': ['interpolate', ['linear'], ['zoom'], 14, 10.5, 18, 14],
                'symbol-spacing': 320,
              },
              paint: named,
            },
            {
              id: 'house-numbers',
              type: 'symbol',
              source: 'streets',
              'source-layer': 'buildings',
              minzoom: 16.5,
              layout: { ...font, 'text-field': ['get', 'addr_housenumber'], 'text-size': 10.5 },
              paint: named,
            },
            {
              id: 'water-names',
              type: 'symbol',
              source: 'streets',
              'source-layer': 'water',
              minzoom: 12,
              layout: { ...font, 'text-field': ['get', 'name'], 'text-size': 11.5 },
              paint: { ...named, 'text-color': colour.textWater },
            },
            {
              id: 'park-names',
              type: 'symbol',
              source: 'streets',
              'source-layer': 'landuse',
              minzoom: 13,
              filter: kindIs('park'),
              layout: { ...font, 'text-field': ['get', 'name'], 'text-size': 11 },
              paint: named,
            },
            own.place('street-places', [11, 17], 14),
          ]
        : streets
          ? [{ id: 'streets', type: 'raster', source: 'streets' }]
          : []),
      world.place('towns', [10.5, 16], streets ? 12 : 17),
    ],
  };
}
