import { Minus, Plus, SquareDashedMousePointer } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { classes } from '../ui/classes.ts';
import type { MapHandle } from './engine.ts';
import type { MapWords } from './map-texts.ts';
import type { LonLat, MapLine, MapPoint } from './map-types.ts';

interface MapViewProps {
  /** What the map shows, for people who cannot see it: what it says must stand beside it as well. */
  label: string;
  points?: MapPoint[];
  lines?: MapLine[];
  /** Where the map reads thousands of drivers and stops by itself, as GeoJSON. */
  driversUrl?: string | null;
  stopsUrl?: string | null;
  /** What has to be in sight at first, and again when `fitKey` changes; by default all points. */
  fit?: LonLat[];
  fitKey?: string;
  onChoose?: (id: string, name?: string) => void;
  /** A place that can be moved by dragging it, or with a click. */
  pin?: LonLat | null;
  onPin?: (at: LonLat) => void;
  /** Chooses what lies in a rectangle: dragged with Shift, or after pressing the button. */
  onArea?: (southWest: LonLat, northEast: LonLat) => void;
  cooperative?: boolean;
  /** In English by default, as the screens of owners and administrators are. */
  words?: MapWords;
  className?: string;
}

const english: MapWords = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  failed: 'The map cannot be shown here. What it would show stands beside it.',
  again: 'Try Again',
  twoFingers: 'Use two fingers to move the map',
  ctrlWheel: 'Use Ctrl and the wheel to zoom the map',
};
const none: never[] = [];
const loadEngine = () => importWithRetry(() => import('./engine.ts'));
type State = 'loading' | 'drawn' | 'failed';

/** A map. Its code is loaded when it is shown; without WebGL, or if it cannot be loaded, it says so, and the page goes on. */
export function MapView(props: MapViewProps) {
  const [attempt, setAttempt] = useState(0);
  return <OneMap key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function OneMap({
  label,
  points = none,
  lines = none,
  driversUrl = null,
  stopsUrl = null,
  fit = points,
  fitKey = '',
  onChoose,
  pin = null,
  onPin,
  onArea,
  cooperative = false,
  words = english,
  className,
  onRetry,
}: MapViewProps & { onRetry: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const [handle, setHandle] = useState<MapHandle | null>(null);
  const [state, setState] = useState<State>('loading');
  const choose = useEffectEvent((id: string, name?: string) => onChoose?.(id, name));
  const movePin = useEffectEvent((at: LonLat) => onPin?.(at));
  const hasPin = onPin !== undefined;
  const hasAreas = onArea !== undefined;
  const [isDrawing, setDrawing] = useState(false);
  const chooseArea = useEffectEvent((southWest: LonLat, northEast: LonLat) => {
    setDrawing(false);
    onArea?.(southWest, northEast);
  });

  useEffect(() => {
    let isGone = false;
    let opened: MapHandle | null = null;
    loadEngine()
      .then(({ openMap }) => {
        if (isGone || !container.current) return;
        opened = openMap({
          container: container.current,
          label,
          cooperative: cooperative && words,
          onState: setState,
          onChoose: choose,
          onPin: hasPin ? movePin : null,
          onArea: hasAreas ? chooseArea : null,
        });
        setHandle(opened);
      })
      .catch(() => isGone || setState('failed'));
    return () => {
      isGone = true;
      setHandle(null);
      opened?.close();
    };
  }, [label, cooperative, words, hasPin, hasAreas]);

  useEffect(() => handle?.show(points, lines), [handle, points, lines]);
  useEffect(() => handle?.follow(driversUrl, stopsUrl), [handle, driversUrl, stopsUrl]);
  useEffect(() => handle?.setPin(pin), [handle, pin]);
  useEffect(() => handle?.setDrawing(isDrawing), [handle, isDrawing]);
  useEffect(() => handle?.fit(fitKey, fit), [handle, fitKey, fit]);

  return (
    <div
      className={classes('relative isolate overflow-hidden rounded-card border border-line bg-sunken', className)}
      data-map={state}
      role="group"
      aria-label={label}
    >
      <div ref={container} className="absolute! inset-0" />
      {state === 'failed' ? (
        <div className="absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 bg-sunken p-4 text-center text-ui text-ink-2">
          <p role="status">{words.failed}</p>
          <button type="button" className="font-medium text-brand underline" onClick={onRetry}>
            {words.again}
          </button>
        </div>
      ) : (
        <div className="absolute top-2 right-2 z-10 flex flex-col overflow-hidden rounded-control border border-line bg-surface shadow-float">
          <ZoomButton label={words.zoomIn} onPress={() => handle?.zoomBy(1)}>
            <Plus aria-hidden="true" className="size-4" />
          </ZoomButton>
          <ZoomButton label={words.zoomOut} onPress={() => handle?.zoomBy(-1)}>
            <Minus aria-hidden="true" className="size-4" />
          </ZoomButton>
          {hasAreas && (
            <ZoomButton label="Select an area" isPressed={isDrawing} onPress={() => setDrawing(!isDrawing)}>
              <SquareDashedMousePointer aria-hidden="true" className="size-4" />
            </ZoomButton>
          )}
        </div>
      )}
    </div>
  );
}

interface ZoomButtonProps {
  label: string;
  isPressed?: boolean;
  onPress: () => void;
  children: React.ReactNode;
}

function ZoomButton({ label, isPressed, onPress, children }: ZoomButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      title={isPressed === undefined ? undefined : label}
      className={classes(
        'grid size-9 place-items-center pointer-coarse:size-11 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus',
        isPressed ? 'bg-brand-soft text-brand' : 'text-ink hover:bg-sunken',
      )}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
