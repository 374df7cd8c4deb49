import { queryOptions } from '@tanstack/react-query';
import type { LiveMap } from '@waybill/contract';
import { api } from '../platform/api.ts';

/** Positions are looked at rather than announced: nobody needs them more often on this screen. */
const everyMs = 2000;

export const liveMapQuery = () =>
  queryOptions({
    queryKey: ['positions', 'live'],
    queryFn: ({ signal }) => api.positions.live({ signal }),
    refetchInterval: everyMs,
    meta: { showsError: true },
  });

/** Where the map's thread reads drivers and stops. The versions keep it from doing so while they stay as they are. */
export const liveUrls = ({ driversVersion, stopsVersion }: LiveMap) => ({
  drivers: `/api/positions/drivers?v=${encodeURIComponent(driversVersion)}`,
  stops: `/api/positions/stops?v=${encodeURIComponent(stopsVersion)}`,
});
