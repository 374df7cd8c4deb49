import type { MapFeature } from '../features.ts';
import type { Tags } from './elements.ts';

/** What a way is on the map. */
export interface Drawn extends Pick<MapFeature, 'layer' | 'kind' | 'minZoom'> {
  isArea: boolean;
}

/** How a road is driven. */
export interface Driven {
  /** In km/h, with crossings and traffic. */
  speed: number;
  forward: boolean;
  backward: boolean;
}

/** Usual speeds by class, in km/h: what a van reaches there, with crossings and traffic. */
const speeds: Record<string, number> = {
  motorway: 95,
  motorway_link: 45,
  trunk: 75,
  trunk_link: 40,
  primary: 45,
  primary_link: 35,
  secondary: 40,
  secondary_link: 35,
  tertiary: 36,
  tertiary_link: 30,
  unclassified: 32,
  residential: 24,
  living_street: 9,
  service: 13,
};
/** A limit is not a mean: crossings, bends and traffic take a fifth. */
const ofLimit = 0.8;
const kilometresPerMile = 1.609344;

const closed = new Set(['no', 'private', 'agricultural', 'forestry']);

/** @returns null for what no van drives on */
export function drivenAs(tags: Tags): Driven | null {
  const usual = speeds[tags.get('highway') ?? ''];
  if (usual === undefined) return null;
  const access =
    tags.get('motorcar') ?? tags.get('motor_vehicle') ?? tags.get('vehicle') ?? tags.get('access') ?? 'yes';
  if (closed.has(access)) return null;
  const oneway = tags.get('oneway') ?? '';
  const isRound = tags.get('junction') === 'roundabout' || tags.get('highway') === 'motorway';
  const isReversed = oneway === '-1' || oneway === 'reverse';
  const isOneway = isReversed || ['yes', 'true', '1'].includes(oneway) || (isRound && oneway !== 'no');
  return { speed: limitOf(tags.get('maxspeed')) ?? usual, forward: !isReversed, backward: !isOneway || isReversed };
}

function limitOf(written: string | undefined): number | null {
  const [, digits, unit] = /^(\d{1,3})\s*(mph|km\/h)?$/.exec(written ?? '') ?? [];
  const limit = Number(digits) * (unit === 'mph' ? kilometresPerMile : 1);
  return limit >= 5 && limit <= 150 ? limit * ofLimit : null;
}

const roadKinds: Record<string, [kind: string, minZoom: number]> = {
  motorway: ['highway', 6],
  trunk: ['highway', 7],
  primary: ['major_road', 8],
  secondary: ['major_road', 9],
  tertiary: ['major_road', 11],
  motorway_link: ['highway', 11],
  trunk_link: ['highway', 11],
  primary_link: ['major_road', 12],
  secondary_link: ['major_road', 12],
  tertiary_link: ['major_road', 12],
  unclassified: ['minor_road', 12],
  residential: ['minor_road', 12],
  living_street: ['minor_road', 12],
  pedestrian: ['minor_road', 13],
  service: ['minor_road', 13],
};
const landKinds: Record<string, string> = {
  residential: 'residential',
  commercial: 'urban_area',
  retail: 'urban_area',
  industrial: 'urban_area',
  forest: 'forest',
  grass: 'grass',
  meadow: 'grass',
  village_green: 'grass',
  cemetery: 'cemetery',
  recreation_ground: 'park',
};
const leisureKinds: Record<string, string> = { park: 'park', garden: 'park', nature_reserve: 'nature_reserve' };
const waterLines: Record<string, number> = { river: 9, canal: 11, stream: 13 };

/** @returns null for what the map leaves out */
export function drawnAs(tags: Tags, isClosed: boolean): Drawn | null {
  const [road, minZoom] = roadKinds[tags.get('highway') ?? ''] ?? [];
  if (road !== undefined && minZoom !== undefined) return { layer: 'roads', kind: road, minZoom, isArea: false };
  if (['rail', 'light_rail'].includes(tags.get('railway') ?? ''))
    return { layer: 'roads', kind: 'rail', minZoom: 10, isArea: false };
  const line = waterLines[tags.get('waterway') ?? ''];
  if (line !== undefined) return { layer: 'water', kind: 'river', minZoom: line, isArea: false };
  if (!isClosed) return null;
  const building = tags.get('building');
  if (building !== undefined && building !== 'no')
    return { layer: 'buildings', kind: 'building', minZoom: 14, isArea: true };
  if (tags.get('natural') === 'water' || tags.get('waterway') === 'riverbank' || tags.get('landuse') === 'reservoir')
    return { layer: 'water', kind: 'water', minZoom: 8, isArea: true };
  const land =
    landKinds[tags.get('landuse') ?? ''] ??
    leisureKinds[tags.get('leisure') ?? ''] ??
    (tags.get('natural') === 'wood' ? 'wood' : undefined);
  return land === undefined ? null : { layer: 'landuse', kind: land, minZoom: 9, isArea: true };
}

export const placeKinds: Record<string, [rank: number, minZoom: number]> = {
  city: [9, 6],
  town: [6, 8],
  village: [3, 11],
  suburb: [2, 12],
};
