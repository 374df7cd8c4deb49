import { useQueries, useQuery } from '@tanstack/react-query';
import { isOpenStop } from '@waybill/contract';
import { useMemo } from 'react';
import type { MapPoint } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';
import { formatCountOf } from '../platform/formats.ts';
import { liveRoutesQuery, positionsQuery } from './live-queries.ts';

/** Older than this, a position says where a driver was, and no more where they are. */
const staleSeconds = 180;

/** Where the drivers are, and the stops of the routes on the road. The list below says who has which stops. */
export function LiveMap() {
  const positions = useQuery(positionsQuery());
  const [today, yesterday] = useQueries({ queries: [liveRoutesQuery(0), liveRoutesQuery(-1)] });
  const drivers = useMemo(
    () =>
      (positions.data ?? []).map(({ driverId, name, ageSeconds, lon, lat }): MapPoint => {
        const isStale = ageSeconds > staleSeconds;
        return {
          id: `driver ${driverId}`,
          kind: 'driver',
          text: initials(name),
          colour: isStale ? 'grey' : 'blue',
          lon,
          lat,
        };
      }),
    [positions.data],
  );
  const stops = useMemo(
    () =>
      [...(today.data ?? []), ...(yesterday.data ?? [])].flatMap((route) =>
        route.stops.flatMap(({ packageId, state, delivery: { place } }): MapPoint[] =>
          isOpenStop(state) && place && place.accuracy !== 'town'
            ? [
                {
                  id: packageId,
                  kind: 'stop',
                  colour: state === 'open' ? 'grey' : 'orange',
                  lon: place.lon,
                  lat: place.lat,
                },
              ]
            : [],
        ),
      ),
    [today.data, yesterday.data],
  );
  const points = useMemo(() => [...stops, ...drivers], [stops, drivers]);
  const stale = drivers.filter(({ colour }) => colour === 'grey').length;
  return (
    <div className="border-t border-line p-3">
      <MapView
        label="Map: drivers and open stops"
        className="h-96"
        points={points}
        fitKey={String(positions.isSuccess && today.isSuccess && yesterday.isSuccess)}
        cooperative
      />
      <p className="mt-1.5 text-meta text-ink-2">
        {positions.isError
          ? 'The positions of drivers could not be loaded.'
          : [
              formatCountOf(drivers.length, 'driver'),
              stale > 0 && `${stale} last seen more than 3 minutes ago (grey)`,
              formatCountOf(stops.length, 'open stop'),
            ]
              .filter(Boolean)
              .join(', ')}
      </p>
    </div>
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase();
