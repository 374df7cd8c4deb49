import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { LiveMap as LiveMapState } from '@waybill/contract';
import { useState } from 'react';
import type { LonLat } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';
import { formatCountOf } from '../platform/formats.ts';
import { liveMapQuery, liveUrls } from './live-queries.ts';

/** Where the drivers are, and the open stops of the routes on the road. The list below says who has which stops. */
export function LiveMap() {
  const navigate = useNavigate();
  const { data, isError } = useQuery(liveMapQuery());
  const urls = data && liveUrls(data);
  const [driver, setDriver] = useState('');
  return (
    <div className="border-t border-line p-3">
      <MapView
        label="Map: drivers and open stops"
        className="h-96"
        driversUrl={urls?.drivers ?? null}
        stopsUrl={urls?.stops ?? null}
        fit={cornersOf(data?.bounds ?? null)}
        fitKey={String(data !== undefined)}
        onChoose={(id, name) =>
          name === undefined ? void navigate({ to: '/admin/package/$id', params: { id } }) : setDriver(name)
        }
        cooperative
      />
      <p className="mt-1.5 text-meta text-ink-2">
        {isError ? 'The positions of drivers could not be loaded.' : data && summaryOf(data)}
      </p>
      <p role="status" className="text-meta font-medium">
        {driver && `On the map: ${driver}`}
      </p>
    </div>
  );
}

function summaryOf({ drivers, stale, stops, more }: LiveMapState): string {
  if (drivers + stops === 0) return 'Nobody has sent a position yet, and no stop on the road has a place.';
  return [
    formatCountOf(drivers, 'driver'),
    stale > 0 && `${stale} last seen more than 3 minutes ago (grey)`,
    formatCountOf(stops, 'open stop'),
    more && 'there are more than the map shows',
  ]
    .filter(Boolean)
    .join(', ');
}

function cornersOf(bounds: number[] | null): LonLat[] {
  const [west, south, east, north] = bounds ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return [];
  return [
    { lon: west, lat: south },
    { lon: east, lat: north },
  ];
}
