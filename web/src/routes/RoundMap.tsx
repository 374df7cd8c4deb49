import { isOpenStop } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { useMemo } from 'react';
import { texts } from '../maps/map-texts.ts';
import type { MapPoint } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';

/** The stops of a round by number: the next one stands out, those that are done are faint. */
export function RoundMap({ route }: { route: Route }) {
  const points = useMemo(
    () =>
      route.stops.flatMap(({ packageId, position, state, delivery: { place } }): MapPoint[] =>
        place && place.accuracy !== 'town'
          ? [
              {
                id: packageId,
                kind: 'stop',
                text: String(position),
                colour: state === 'next' || state === 'arrived' ? 'blue' : 'grey',
                faint: !isOpenStop(state),
                lon: place.lon,
                lat: place.lat,
              },
            ]
          : [],
      ),
    [route.stops],
  );
  const lines = useMemo(() => {
    const open = new Set(route.stops.flatMap(({ packageId, state }) => (isOpenStop(state) ? packageId : [])));
    return [{ id: 'round', colour: 'blue' as const, dashed: true, at: points.filter(({ id }) => open.has(id)) }];
  }, [route.stops, points]);
  return (
    <MapView
      label={texts.round}
      className="h-80"
      points={points}
      lines={lines}
      fitKey={route.id}
      words={texts}
      cooperative
    />
  );
}
