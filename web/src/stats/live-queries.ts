import { queryOptions } from '@tanstack/react-query';
import { api } from '../platform/api.ts';

/** Positions are looked at rather than announced: nobody needs them more often on this screen. */
const everyMs = 2000;

export const liveMapQuery = () =>
  queryOptions({
    queryKey: ['positions', 'live'],
    queryFn: ({ signal }) => api.positions.live({ signal }),
    refetchInterval: everyMs,
    // A thousand drivers who all move: there is nothing to share with the answer before.
    structuralSharing: false,
    meta: { showsError: true },
  });

/** Where the map's thread reads the stops. The version keeps it from doing so while they stay as they are. */
export const liveStopsUrl = (version: string) => `/api/positions/stops?v=${encodeURIComponent(version)}`;
