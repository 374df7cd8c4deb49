import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LonLat, MapPoint } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';
import { formatCountOf } from '../platform/formats.ts';
import { liveMapQuery, liveStopsUrl } from './live-queries.ts';

/** Older than this, a position says where a driver was, and no more where they are. */
const staleSeconds = 180;
/** Initials of more drivers would cover each other, and cost a frame each time that they move. */
const mostInitials = 150;

/** Where the drivers are, and the open stops of the routes on the road. The list below says who has which stops. */
export function LiveMap() {
  const navigate = useNavigate();
  const { data, isError } = useQuery(liveMapQuery());
  const drivers = useMemo(() => {
    const all = data?.drivers ?? [];
    return all.map(({ driverId, name, ageSeconds, lon, lat }): MapPoint => {
      const isStale = ageSeconds > staleSeconds;
      const text = all.length > mostInitials ? undefined : initials(name);
      return { id: `driver ${driverId}`, kind: 'driver', text, colour: isStale ? 'grey' : 'blue', lon, lat };
    });
  }, [data]);
  const bounds = useMemo(() => cornersOf(data?.bounds ?? null), [data]);
  const stale = drivers.filter(({ colour }) => colour === 'grey').length;
  return (
    <div className="border-t border-line p-3">
      <MapView
        label="Map: drivers and open stops"
        className="h-96"
        points={drivers}
        stopsUrl={data ? liveStopsUrl(data.stopsVersion) : null}
        fit={bounds}
        fitKey={String(data !== undefined)}
        onChoose={(id) => id.startsWith('driver ') || void navigate({ to: '/admin/package/$id', params: { id } })}
        cooperative
      />
      <p className="mt-1.5 text-meta text-ink-2">
        {isError
          ? 'The positions of drivers could not be loaded.'
          : [
              formatCountOf(drivers.length, 'driver'),
              stale > 0 && `${stale} last seen more than 3 minutes ago (grey)`,
              formatCountOf(data?.stops ?? 0, 'open stop'),
              data?.more && 'there are more than the map shows',
            ]
              .filter(Boolean)
              .join(', ')}
      </p>
    </div>
  );
}

function cornersOf(bounds: number[] | null): LonLat[] {
  const [west, south, east, north] = bounds ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return [];
  return [
    { lon: west, lat: south },
    { lon: east, lat: north },
  ];
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase();
