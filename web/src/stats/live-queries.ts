import { queryOptions } from '@tanstack/react-query';
import { api } from '../platform/api.ts';
import { localDay } from '../platform/formats.ts';

/** Positions are looked at rather than announced: nobody needs them more often on this screen. */
const everyMs = 5000;

export const positionsQuery = () =>
  queryOptions({
    queryKey: ['positions'],
    queryFn: ({ signal }) => api.positions.list({ signal }),
    refetchInterval: everyMs,
    meta: { showsError: true },
  });

/** The routes on the road that began today, or some days before: rounds go on beyond midnight. */
export const liveRoutesQuery = (days: number) =>
  queryOptions({
    queryKey: ['routes', 'on the road', days],
    queryFn: async ({ signal }) => {
      const day = localDay(new Date(Date.now() + days * 86_400_000));
      const { items } = await api.routes.list({ query: { day, limit: 200 }, signal });
      return items.filter(({ state }) => state === 'started');
    },
    refetchInterval: 12 * everyMs,
    meta: { showsError: true },
  });
