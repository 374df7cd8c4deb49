import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, dayIn, doorsOf, isOpenStop, othersAtAddress } from '@waybill/contract';
import type { Delivery, Route, Stop } from '@waybill/contract';
import { answered, refreshDeliveries } from '../deliveries/steps.ts';
import { api } from '../platform/api.ts';
import { useToday } from '../platform/clock.ts';
import { localDay } from '../platform/formats.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { queryClient } from '../platform/query-client.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { mergedOrder } from './stop-order.ts';

const keys = {
  all: ['rounds'],
  own: ['rounds', 'own'],
  depots: ['depots', 'of rounds'],
};

/** The driver's routes that are not finished, and those of today: the started one first, then by day. */
const ownRoundsQuery = () =>
  queryOptions({
    queryKey: keys.own,
    queryFn: async ({ signal }) =>
      (await api.routes.mine({ query: { finishedOn: localDay(), limit: 20 }, signal })).items,
    meta: { showsError: true },
  });

const depotsQuery = () =>
  queryOptions({
    queryKey: keys.depots,
    queryFn: ({ signal }) => api.depots.list({ signal }),
    staleTime: 10 * 60_000,
    meta: { showsError: true },
  });

/** The depot of a route; undefined while it loads. */
export const useDepotOf = (route: Pick<Route, 'depotId'> | null) =>
  useQuery({ ...depotsQuery(), enabled: route !== null }).data?.find(({ id }) => id === route?.depotId);

/** The day at the depot of a route, which may have another zone than the driver's phone. */
export function useDayOf(route: Pick<Route, 'depotId'> | null, now: Date): string {
  const zone = useDepotOf(route)?.timeZone;
  return zone ? dayIn(zone, now) : localDay(now);
}

export const refreshRounds = () => refresh(keys.all);

/** Keeps the driver's routes up to date while the screen is open: each step at a stop also changes its route. */
export function useLiveRounds(): void {
  useInvalidation('route', refreshRounds);
  useInvalidation('delivery', refreshRounds);
}

/**
 * The driver's route on the road, else those that are planned and have stops; without any, those of today that are finished.
 */
export function useOwnRound() {
  const query = useQuery(ownRoundsQuery());
  const today = localDay(useToday());
  const routes = query.data ?? [];
  const started = routes.find(({ state }) => state === 'started') ?? null;
  const planned = routes.filter(({ state, stops }) => state === 'planned' && stops.length > 0);
  const isOver = routes.every(({ state }) => state === 'finished');
  return { query, started, planned, finished: isOver ? routes.filter(({ day }) => day === today) : [] };
}

/** A stop as the delivery that screens show, with when its driver is expected. */
export const deliveryOf = ({ delivery, arrivalWindow }: Stop): Delivery & Pick<Stop, 'arrivalWindow'> => ({
  ...delivery,
  arrivalWindow,
});

/** The other packages at the door of a stop, and those elsewhere on the round with its address. */
export function atDoorOf(route: Route | null, id: string): { door: Delivery[]; others: Delivery[] } {
  const open = route ? openStops(route) : [];
  const door = doorsOf(open).find((stops) => stops.some(({ packageId }) => packageId === id)) ?? [];
  return {
    door: door.filter(({ packageId }) => packageId !== id).map(deliveryOf),
    others: othersAtAddress(open, door).map(deliveryOf),
  };
}

export const openStops = (route: Route): Stop[] => route.stops.filter(({ state }) => isOpenStop(state));

/** The answer is shown at once; everything else that the step changed follows. */
function show(route: Route): void {
  queryClient.setQueryData<Route[]>(keys.own, (routes) => routes?.map((one) => (one.id === route.id ? route : one)));
}

function refreshAll(): void {
  refreshRounds();
  refreshDeliveries();
}

export function useStartRound(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (missing: string[], signal) =>
      answered(signal, (timed) =>
        api.routes.start({ params: { id }, body: { missing }, idempotencyKey: keyOf(missing), signal: timed }),
      ),
    onSuccess: show,
    onSettled: refreshAll,
    meta: { showsError: true },
  });
}

export function useFinishRound(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (returned: string[], signal) =>
      answered(signal, (timed) =>
        api.routes.finish({ params: { id }, body: { returned }, idempotencyKey: keyOf(returned), signal: timed }),
      ),
    onSuccess: show,
    onSettled: refreshAll,
    meta: { showsError: true },
  });
}

/** Somebody else may change the round as often as this while an order is being saved. */
const maxAttempts = 4;

/**
 * Saves an order of the open stops. When the round has changed in the meantime, the wanted order is kept for the stops that are still
 * open, and the new ones follow: `merged` says so.
 */
export const useSaveOrder = (id: string) =>
  useSingleMutation({
    mutationFn: async ({ order, version }: { order: string[]; version: number }, signal) => {
      let attempt = { order, version };
      for (let tries = 1; ; tries++) {
        try {
          const sent = attempt;
          const route = await answered(signal, (timed) =>
            api.routes.update({ params: { id }, body: sent, signal: timed }),
          );
          return { route, merged: tries > 1 };
        } catch (error) {
          const isOutdated = error instanceof ApiError && (error.code === 'stale' || error.status === 422);
          if (!isOutdated || tries === maxAttempts) throw error;
          const current = await answered(signal, (timed) => api.routes.read({ params: { id }, signal: timed }));
          const open = openStops(current).map(({ packageId }) => packageId);
          attempt = { order: mergedOrder(order, open), version: current.version };
        }
      }
    },
    onSuccess: ({ route }) => show(route),
    onSettled: refreshAll,
    meta: { showsError: true },
  });

/** Puts the rest of the round in the best order; `before` is the order that it had, for going back. */
export const useOptimizeRound = (route: Route) =>
  useSingleMutation({
    mutationFn: async (_: void, signal) => {
      const before = openStops(route).map(({ packageId }) => packageId);
      const found = await answered(signal, (timed) =>
        api.routes.optimize({ params: { id: route.id }, body: {}, signal: timed }),
      );
      return { found, before, isSame: openStops(found).every(({ packageId }, index) => packageId === before[index]) };
    },
    onSuccess: ({ found }) => show(found),
    onSettled: refreshAll,
    meta: { showsError: true },
  });
