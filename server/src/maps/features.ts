/** Degrees of longitude and latitude, WGS 84. */
export type LonLat = [lon: number, lat: number];

/**
 * What a map draws. Layers and kinds are those of the Protomaps basemap (version 4), so that one style draws the demo's town, an extract of
 * OpenStreetMap and a PMTiles file alike.
 */
export interface MapFeature {
  layer: 'earth' | 'boundaries' | 'landuse' | 'water' | 'roads' | 'buildings' | 'places';
  kind: string;
  /** The first zoom that shows it. */
  minZoom: number;
  name?: string;
  houseNumber?: string;
  /** How large a place is, for the size of its name and which of two is shown. */
  rank?: number;
  geometry:
    | { type: 'Point'; coordinates: LonLat }
    | { type: 'LineString'; coordinates: LonLat[] }
    | { type: 'Polygon'; coordinates: LonLat[][] }
    | { type: 'MultiPolygon'; coordinates: LonLat[][][] }
    | { type: 'MultiLineString'; coordinates: LonLat[][] };
}
