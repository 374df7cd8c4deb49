import { AttributionControl, Map as MapLibre, setWorkerUrl } from 'maplibre-gl';
import type { Feature, GeoJSON, GeoJsonProperties } from 'geojson';
import type { GeoJSONSource, LngLatBoundsLike, MapMouseEvent, MapTouchEvent, PointLike } from 'maplibre-gl';
// A file of this installation: the policy forbids workers from anywhere else.
// oxlint-disable-next-line import/default -- of the query, not of the file
import workerUrl from './map-worker.ts?worker&url';
import { token } from '../platform/token.ts';
import { mapColours, type LonLat, type MapColour, type MapLine, type MapPoint } from './map-types.ts';
import { addMapStyles } from './map-styles.ts';

export interface MapOptions {
  container: HTMLElement;
  label: string;
  /** One finger and the wheel scroll the page, two fingers or Ctrl move the map. */
  cooperative: false | { twoFingers: string; ctrlWheel: string };
  /** No closer at first. */
  closestZoom?: number;
  onState: (state: 'drawn' | 'failed') => void;
  /** @param name of a driver that the map's thread has read */
  onChoose: (id: string, name?: string) => void;
  /** With it there is a pin, which can be dragged or set by a click. */
  onPin: ((at: LonLat) => void) | null;
  /** With it, dragging with Shift draws a rectangle: its corners. */
  onArea: ((southWest: LonLat, northEast: LonLat) => void) | null;
}

export interface MapHandle {
  show(points: MapPoint[], lines: MapLine[]): void;
  /** Drivers and stops that the map's thread reads by itself, as GeoJSON; another address is read anew. */
  follow(driversUrl: string | null, stopsUrl: string | null): void;
  setPin(at: LonLat | null): void;
  /** Dragging draws a rectangle also without Shift, until this is turned off. */
  setDrawing(on: boolean): void;
  /** Shows all of these places, once for each key: nobody's map moves because a driver does. */
  fit(key: string, places: LonLat[]): void;
  zoomBy(levels: number): void;
  close(): void;
}

/** What can be chosen by a click, or a finger that comes so near, in px. */
const choosable = ['stops', 'points', 'drivers', 'followed'];
const nearPx = 10;
/** What could not be read is read again after this time. */
const retryMs = 5000;
/** At most so often, whatever changes: a source is cut into tiles anew each time. */
const dataEveryMs = 1000;
const padding = 48;

const darkMedia = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? darkMedia.matches : theme === 'dark';
};
const isReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const styleUrl = () => `/map/style.json?theme=${isDark() ? 'dark' : 'light'}`;

/** @throws Error where the browser has no WebGL */
export function openMap({
  container,
  label,
  cooperative,
  closestZoom = 15.5,
  onState,
  onChoose,
  onPin,
  onArea,
}: MapOptions): MapHandle {
  addMapStyles();
  setWorkerUrl(new URL(workerUrl, location.href).href);
  const map = new MapLibre({
    container,
    style: styleUrl(),
    center: [8, 30],
    zoom: 1,
    maxZoom: 19,
    attributionControl: false,
    cooperativeGestures: cooperative !== false,
    ...(cooperative && {
      locale: {
        'CooperativeGesturesHandler.MobileHelpText': cooperative.twoFingers,
        'CooperativeGesturesHandler.WindowsHelpText': cooperative.ctrlWheel,
        'CooperativeGesturesHandler.MacHelpText': cooperative.ctrlWheel.replace(/Ctrl|Strg/, '⌘'),
      },
    }),
    pitchWithRotate: false,
    dragRotate: false,
    rollEnabled: false,
    fadeDuration: isReduced() ? 0 : 200,
    // The worker that fetches tiles has no address that they could be relative to.
    transformRequest: (given) => {
      const url = given.startsWith('/') ? location.origin + given : given;
      const sent = token.get();
      // What needs a session is of this installation: nobody else gets its token.
      return sent !== null && url.startsWith(`${location.origin}/api/`)
        ? { url, headers: { Authorization: `Bearer ${sent}` } }
        : { url };
    },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right');
  map.getCanvas().setAttribute('aria-label', label);

  let points: MapPoint[] = [];
  let lines: MapLine[] = [];
  let driversUrl: string | null = null;
  let stopsUrl: string | null = null;
  let shown: {
    points: MapPoint[];
    lines: MapLine[];
    driversUrl: string | null;
    stopsUrl: string | null;
  } | null = null;
  let pin: LonLat | null = null;
  let isStyled = false;
  let fitted: string | null = null;
  let bounds: LngLatBoundsLike | null = null;
  let wasStops = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let setAt = -Infinity;
  let dark = isDark();

  const pinData = (): GeoJSON => (pin ? pointOf(pin, {}) : empty);
  const setPinData = () => void map.getSource<GeoJSONSource>('pin')?.setData(pinData());
  const source = (name: string) => map.getSource<GeoJSONSource>(name);
  /** One at a time: points and lines, the drivers, or the stops. What has waited for its turn goes before what moves again. */
  const setData = () => {
    timer = undefined;
    if (!isStyled || !shown) return;
    setAt = performance.now();
    if (shown.points !== points || shown.lines !== lines) {
      // A source that is as it was is not cut into tiles again.
      if (shown.points !== points) void source('points')?.setData(pointsData(points, dark));
      if (shown.lines !== lines) void source('lines')?.setData(linesData(lines, dark));
      [shown.points, shown.lines] = [points, lines];
    } else if (shown.stopsUrl !== stopsUrl && (!wasStops || shown.driversUrl === driversUrl)) {
      wasStops = true;
      shown.stopsUrl = stopsUrl;
      void source('stops')?.setData(stopsUrl ?? empty);
    } else if (shown.driversUrl !== driversUrl) {
      wasStops = false;
      shown.driversUrl = driversUrl;
      void source('followed')?.setData(driversUrl ?? empty);
    }
    const isBehind =
      shown.points !== points ||
      shown.lines !== lines ||
      shown.driversUrl !== driversUrl ||
      shown.stopsUrl !== stopsUrl;
    if (isBehind) changed();
  };
  const changed = () => {
    timer ??= setTimeout(setData, Math.max(0, setAt + dataEveryMs - performance.now()));
  };

  map.on('style.load', () => {
    isStyled = true;
    addLayers(map, dark, {
      lines: linesData(lines, dark),
      stops: stopsUrl ?? empty,
      points: pointsData(points, dark),
      followed: driversUrl ?? empty,
      pin: pinData(),
    });
    shown = { points, lines, driversUrl, stopsUrl };
    setAt = performance.now();
  });
  const fitNow = () => {
    if (!bounds) return;
    // Wide margins would leave a small map no room.
    const { clientWidth, clientHeight } = container;
    const margin = Math.min(padding, Math.min(clientWidth, clientHeight) / 5);
    map.fitBounds(bounds, { padding: margin, maxZoom: closestZoom, animate: false });
  };
  // A map that opened behind a tab had no size to fit into. Where somebody has moved it, it stays.
  map.on('resize', fitNow);
  map.on('movestart', ({ originalEvent }) => {
    if (originalEvent) bounds = null;
  });
  map.on('idle', () => onState('drawn'));
  let retry: ReturnType<typeof setTimeout> | undefined;
  map.on('error', (event) => {
    // Without a style there is nothing to see. A tile that fails leaves a gap, and is fetched again when the map moves.
    if (!isStyled) onState('failed');
    const { sourceId } = event as { sourceId?: string };
    if (sourceId !== 'followed' && sourceId !== 'stops') return;
    retry ??= setTimeout(() => {
      retry = undefined;
      if (shown) [shown.driversUrl, shown.stopsUrl] = [null, null];
      changed();
    }, retryMs);
  });
  map.on('click', ({ point: { x, y } }) => {
    if (!isStyled) return;
    const around: [PointLike, PointLike] = [
      [x - nearPx, y - nearPx],
      [x + nearPx, y + nearPx],
    ];
    // What lies on top, of what is at the point itself or else near it.
    const [top] = [[x, y] as PointLike, around].flatMap((at) => map.queryRenderedFeatures(at, { layers: choosable }));
    const { id, name } = (top?.properties ?? {}) as { id?: unknown; name?: unknown };
    if (typeof id === 'string') onChoose(id, typeof name === 'string' ? name : undefined);
  });
  for (const layer of choosable) {
    map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'));
    map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''));
  }
  if (onPin) takePin();
  let isDrawing = false;
  if (onArea) takeAreas(onArea);

  function takeAreas(done: NonNullable<typeof onArea>) {
    map.boxZoom.disable();
    const canvas = map.getCanvasContainer();
    canvas.addEventListener(
      'pointerdown',
      (down) => {
        if (!(isDrawing || down.shiftKey) || down.button !== 0 || !down.isPrimary) return;
        const { left, top } = canvas.getBoundingClientRect();
        const from = { x: down.clientX - left, y: down.clientY - top };
        let to = from;
        const box = document.createElement('div');
        box.className = 'map-area';
        container.append(box);
        map.dragPan.disable();
        map.touchZoomRotate.disable();
        const move = (event: PointerEvent) => {
          if (event.pointerId !== down.pointerId) return;
          to = { x: event.clientX - left, y: event.clientY - top };
          box.style.left = `${Math.min(from.x, to.x)}px`;
          box.style.top = `${Math.min(from.y, to.y)}px`;
          box.style.width = `${Math.abs(to.x - from.x)}px`;
          box.style.height = `${Math.abs(to.y - from.y)}px`;
        };
        const end = (event: PointerEvent) => {
          if (event.pointerId !== down.pointerId) return;
          removeEventListener('pointermove', move);
          removeEventListener('pointerup', end);
          removeEventListener('pointercancel', end);
          box.remove();
          map.dragPan.enable();
          map.touchZoomRotate.enable();
          map.touchZoomRotate.disableRotation();
          // A click, or a gesture that became a scroll.
          if (event.type === 'pointercancel' || Math.hypot(to.x - from.x, to.y - from.y) < 5) return;
          const [one, other] = [map.unproject([from.x, from.y]), map.unproject([to.x, to.y])];
          done(
            { lon: Math.min(one.lng, other.lng), lat: Math.min(one.lat, other.lat) },
            { lon: Math.max(one.lng, other.lng), lat: Math.max(one.lat, other.lat) },
          );
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', end);
        addEventListener('pointercancel', end);
      },
      { capture: true },
    );
  }

  function takePin() {
    const moveTo = ({ lng: lon, lat }: { lng: number; lat: number }) => {
      pin = { lon: rounded(lon), lat: rounded(lat) };
      setPinData();
    };
    const done = () => pin && onPin?.(pin);
    const grab = (event: MapMouseEvent | MapTouchEvent) => {
      if ('points' in event && event.points.length !== 1) return;
      event.preventDefault();
      const [moves, ends] =
        event.type === 'mousedown' ? (['mousemove', 'mouseup'] as const) : (['touchmove', 'touchend'] as const);
      const drag = (moved: MapMouseEvent | MapTouchEvent) => moveTo(moved.lngLat);
      map.on(moves, drag);
      map.once(ends, () => {
        map.off(moves, drag);
        done();
      });
    };
    map.on('mousedown', 'pin', grab);
    map.on('touchstart', 'pin', grab);
    map.on('mouseenter', 'pin', () => (map.getCanvas().style.cursor = 'move'));
    map.on('mouseleave', 'pin', () => (map.getCanvas().style.cursor = ''));
    map.on('click', ({ lngLat }) => {
      moveTo(lngLat);
      done();
    });
    // The keyboard moves the map with the arrow keys, under a cross in its middle.
    const cross = document.createElement('div');
    cross.className = 'map-cross';
    container.append(cross);
    map.getCanvas().addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      moveTo(map.getCenter());
      done();
    });
  }

  const retheme = () => {
    if (dark === isDark()) return;
    dark = isDark();
    isStyled = false;
    map.setStyle(styleUrl(), { diff: false });
  };
  darkMedia.addEventListener('change', retheme);
  const themes = new MutationObserver(retheme);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });

  return {
    show(nextPoints, nextLines) {
      [points, lines] = [nextPoints, nextLines];
      changed();
    },
    follow(drivers, stops) {
      [driversUrl, stopsUrl] = [drivers, stops];
      changed();
    },
    setPin(at) {
      pin = at;
      if (isStyled) setPinData();
    },
    setDrawing(on) {
      isDrawing = on;
      canvasOf(map).style.touchAction = on ? 'none' : '';
    },
    fit(key, places) {
      const next = boundsOf(places);
      if (!next || key === fitted) return;
      [fitted, bounds] = [key, next];
      fitNow();
    },
    zoomBy(levels) {
      bounds = null;
      map.zoomTo(map.getZoom() + levels, { animate: !isReduced(), duration: 200 });
    },
    close() {
      clearTimeout(timer);
      clearTimeout(retry);
      darkMedia.removeEventListener('change', retheme);
      themes.disconnect();
      map.remove();
    },
  };
}

const canvasOf = (map: MapLibre) => map.getCanvasContainer();

/** Some 10 cm. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
const empty: GeoJSON = { type: 'FeatureCollection', features: [] };

const pointOf = ({ lon, lat }: LonLat, properties: GeoJsonProperties): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties,
});

const pointsData = (points: MapPoint[], dark: boolean): GeoJSON => ({
  type: 'FeatureCollection',
  features: points.map(({ id, kind, text = '', colour, faint = false, ...at }) =>
    pointOf(at, { id, kind, text, colour: mapColours[colour][dark ? 1 : 0], opacity: faint ? 0.45 : 1 }),
  ),
});

const linesData = (lines: MapLine[], dark: boolean): GeoJSON => ({
  type: 'FeatureCollection',
  features: lines
    .filter(({ at }) => at.length > 1)
    .map(({ id, colour, at, dashed = false }) => ({
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: at.map(({ lon, lat }) => [lon, lat]) },
      properties: { id, colour: mapColours[colour][dark ? 1 : 0], dashed },
    })),
});

function boundsOf(places: LonLat[]): LngLatBoundsLike | null {
  if (places.length === 0) return null;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { lon, lat } of places) {
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return [west, south, east, north];
}

interface OverlayData {
  lines: GeoJSON;
  stops: GeoJSON | string;
  points: GeoJSON;
  followed: GeoJSON | string;
  pin: GeoJSON;
}

/** What the product draws over any style. */
function addLayers(map: MapLibre, dark: boolean, data: OverlayData): void {
  for (const [name, source] of Object.entries(data)) map.addSource(name, { type: 'geojson', data: source });
  const edge = dark ? '#0a0d13' : '#ffffff';
  const route = { 'line-color': ['get', 'colour'], 'line-width': 4, 'line-opacity': 0.85 } as never;
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  map.addLayer({
    id: 'lines',
    type: 'line',
    source: 'lines',
    filter: ['!', ['get', 'dashed']],
    layout: round,
    paint: route,
  });
  map.addLayer({
    id: 'beelines',
    type: 'line',
    source: 'lines',
    filter: ['get', 'dashed'],
    layout: round,
    paint: { ...(route as object), 'line-width': 3, 'line-dasharray': [0.5, 2] },
  });
  const colourOf = (name: MapColour) => mapColours[name][dark ? 1 : 0];
  map.addLayer({
    id: 'stops',
    type: 'circle',
    source: 'stops',
    // What comes next lies above what waits.
    layout: { 'circle-sort-key': ['match', ['get', 'state'], 'open', 0, 1] },
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 9, 3, 14, 6],
      'circle-color': ['match', ['get', 'state'], 'open', colourOf('grey'), colourOf('orange')],
      'circle-stroke-color': edge,
      'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 9, 0.5, 14, 2],
    },
  });
  const hasText = ['!=', ['get', 'text'], ''] as never;
  const isDriver = ['==', ['get', 'kind'], 'driver'] as never;
  for (const [id, filter] of [
    ['points', ['!', isDriver]],
    ['drivers', isDriver],
  ] as const) {
    const isDriverLayer = id === 'drivers';
    map.addLayer({
      id,
      type: 'circle',
      source: 'points',
      filter: filter as never,
      paint: {
        'circle-radius': isDriverLayer ? ['case', hasText, 14, 7] : ['case', hasText, 11, 6],
        'circle-color': ['get', 'colour'],
        'circle-opacity': ['get', 'opacity'],
        'circle-stroke-color': edge,
        'circle-stroke-width': isDriverLayer ? ['case', hasText, 3, 2] : 2,
        'circle-stroke-opacity': ['get', 'opacity'],
      },
    });
    map.addLayer({
      id: `${id}-texts`,
      type: 'symbol',
      source: 'points',
      filter: ['all', filter, hasText] as never,
      layout: {
        'text-field': ['get', 'text'],
        'text-font': ['sans-serif'],
        'text-size': 11,
      },
      paint: { 'text-color': edge },
    });
  }
  map.addLayer({
    id: 'followed',
    type: 'circle',
    source: 'followed',
    paint: {
      'circle-radius': ['case', hasText, 14, 7],
      'circle-color': ['case', ['get', 'stale'], colourOf('grey'), colourOf('blue')],
      'circle-stroke-color': edge,
      'circle-stroke-width': ['case', hasText, 3, 2],
    },
  });
  map.addLayer({
    id: 'followed-texts',
    type: 'symbol',
    source: 'followed',
    filter: hasText,
    layout: {
      'text-field': ['get', 'text'],
      'text-font': ['sans-serif'],
      'text-size': 11,
    },
    paint: { 'text-color': edge },
  });
  map.addLayer({
    id: 'pin-halo',
    type: 'circle',
    source: 'pin',
    paint: { 'circle-radius': 22, 'circle-color': mapColours.blue[dark ? 1 : 0], 'circle-opacity': 0.18 },
  });
  map.addLayer({
    id: 'pin',
    type: 'circle',
    source: 'pin',
    paint: {
      'circle-radius': 10,
      'circle-color': mapColours.blue[dark ? 1 : 0],
      'circle-stroke-color': edge,
      'circle-stroke-width': 3,
    },
  });
}
