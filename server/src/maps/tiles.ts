import { gzipSync } from 'node:zlib';
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature } from 'geojson';
import type { MapFeature } from './features.ts';

export interface TileCutter {
  /** A gzipped vector tile; empty where there is nothing. */
  cut(z: number, x: number, y: number): Uint8Array;
}

/** Map units of a tile. */
const extent = 4096;

/** Cuts features into vector tiles, as somebody looks at them. */
export function openTileCutter(features: MapFeature[], maxZoom: number): TileCutter {
  const groups = new Map<string, { layer: string; minZoom: number; features: Feature[] }>();
  for (const feature of features) {
    const { layer, minZoom } = feature;
    const key = `${layer} ${minZoom}`;
    const group = groups.get(key) ?? { layer, minZoom, features: [] };
    group.features.push({ type: 'Feature', geometry: feature.geometry, properties: propertiesOf(feature) });
    groups.set(key, group);
  }
  const indexes = [...groups.values()].map(({ layer, minZoom, features: members }) => ({
    layer,
    minZoom,
    index: new GeoJSONVT(
      { type: 'FeatureCollection', features: members },
      { maxZoom, indexMaxZoom: 4, extent, buffer: 64 },
    ),
  }));
  return {
    cut(z, x, y) {
      const layers: Record<string, GeoJSONVTTile> = {};
      for (const { layer, minZoom, index } of indexes) {
        const tile = z >= minZoom ? index.getTile(z, x, y) : null;
        if (!tile || tile.features.length === 0) continue;
        const other = layers[layer];
        layers[layer] = other ? ({ ...other, features: [...other.features, ...tile.features] } as GeoJSONVTTile) : tile;
      }
      const isEmpty = Object.keys(layers).length === 0;
      return isEmpty ? new Uint8Array() : gzipSync(fromGeojsonVt(layers, { version: 2, extent }));
    },
  };
}

const propertiesOf = ({ kind, name, houseNumber, rank }: MapFeature): Record<string, string | number> => ({
  kind,
  ...(name !== undefined && { name }),
  ...(houseNumber !== undefined && { addr_housenumber: houseNumber }),
  ...(rank !== undefined && { population_rank: rank }),
});
