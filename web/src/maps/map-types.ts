export interface LonLat {
  lon: number;
  lat: number;
}

/** What is drawn for a stop, a driver or another place. */
export interface MapPoint extends LonLat {
  id: string;
  /** `stop` and `depot` a circle, with `text` in it a larger one; `driver` one that is larger still, above all stops. */
  kind: 'stop' | 'driver' | 'depot';
  /** A short text in it: the number of a stop, or initials. */
  text?: string | undefined;
  /** A colour of `mapColours`. */
  colour: MapColour;
  /** Fainter: done already, or not the matter. */
  faint?: boolean | undefined;
}

export interface MapLine {
  id: string;
  colour: MapColour;
  at: LonLat[];
  /** It is only the beeline between its points. */
  dashed?: boolean | undefined;
}

/** Each with enough contrast to the map and to the white or dark text in it. */
export const mapColours = {
  blue: ['#1d4ed8', '#7aa7ff'],
  green: ['#15803d', '#4ade80'],
  yellow: ['#a16207', '#eab308'],
  red: ['#b42318', '#ff9a91'],
  purple: ['#7e22ce', '#c084fc'],
  teal: ['#0f766e', '#2dd4bf'],
  pink: ['#be185d', '#f472b6'],
  orange: ['#c2410c', '#fb923c'],
  grey: ['#4b5563', '#aeb9c9'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;
export type MapColour = keyof typeof mapColours;

/** For routes, one after the other. */
export const routeColours: readonly MapColour[] = [
  'blue',
  'orange',
  'purple',
  'teal',
  'pink',
  'green',
  'yellow',
  'red',
];
