import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '@waybill/contract';
import type { Delivery, Offer } from '@waybill/contract';
import { useEffect, useRef } from 'react';
import { answered, refreshDeliveries } from '../deliveries/steps.ts';
import { api } from '../platform/api.ts';
import { useToday } from '../platform/clock.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { localStorageItem } from '../platform/local-storage.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { createStore, useStore } from '../platform/store.ts';
import { refreshRounds } from './rounds.ts';
import { signal as sound } from './signal.ts';

/** Below the keys of rounds: whatever refreshes them refreshes these, too. */
const keys = { offers: ['rounds', 'offers'], colleagues: ['rounds', 'colleagues'] };

const offersQuery = () =>
  queryOptions({
    queryKey: keys.offers,
    queryFn: ({ signal }) => api.offers.mine({ signal }),
    meta: { showsError: true },
  });

/** Whom the driver can offer stops. */
export const colleaguesQuery = () =>
  queryOptions({
    queryKey: keys.colleagues,
    queryFn: ({ signal }) => api.offers.colleagues({ signal }),
    meta: { showsError: true },
  });

const stored = localStorageItem('offerNoted');
/** The id of the latest offer that the driver knows nobody has answered. Ids (UUIDv7) increase with time. */
const noted = createStore(stored.read() ?? '', '');

export function noteUnanswered({ id }: Offer): void {
  noted.set(id);
  stored.write(id);
}

/**
 * The open offers to and from a driver, without those that have run out or whose stops are done; and those that nobody has answered, until
 * the driver has taken note.
 */
export function useOffers(driverId: string | undefined): { received: Offer[]; made: Offer[]; unanswered: Offer[] } {
  const { data = [] } = useQuery(offersQuery());
  const now = useToday();
  const known = useStore(noted);
  const open = data.filter(
    ({ state, expiresAt, deliveries }) =>
      state === 'open' && Date.parse(expiresAt) > now.getTime() && deliveries.length > 0,
  );
  return {
    received: open.filter(({ toDriverId }) => toDriverId === driverId),
    made: open.filter(({ fromDriverId }) => fromDriverId === driverId),
    unanswered: data.filter((offer) => offer.state === 'expired' && offer.id > known && stillOpen(offer).length > 0),
  };
}

/** The stops of an offer that are still to be delivered. */
export const stillOpen = ({ deliveries }: Offer): Delivery[] =>
  deliveries.filter(({ status }) => status === 'in transit');

/** Tells by sound and vibration that a colleague offers stops. */
export function useOfferSound(received: Offer[]): void {
  const told = useRef(new Set<string>());
  useEffect(() => {
    const isNew = received.some(({ id }) => !told.current.has(id));
    for (const { id } of received) told.current.add(id);
    if (isNew) sound('offered');
  }, [received]);
}

/** Whole minutes until an offer runs out, at least 1. */
export const minutesLeft = ({ expiresAt }: Pick<Offer, 'expiresAt'>, now: Date): number =>
  Math.max(1, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 60_000));

function refreshAll(): void {
  refreshRounds();
  refreshDeliveries();
}

export function useOfferStops(routeId: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: { packageIds: string[]; driverId: string }, signal) =>
      answered(signal, (timed) =>
        api.offers.create({ params: { id: routeId }, body, idempotencyKey: keyOf(body), signal: timed }),
      ),
    onSettled: refreshRounds,
    meta: { showsError: true },
  });
}

/** Accepts or declines an offer, or takes it back. One that is over already is shown as it is now. */
export function useAnswerOffer(id: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: async (answer: 'accept' | 'decline' | 'take back', signal) => {
      const params = { id };
      const idempotencyKey = keyOf(answer);
      await answered<unknown>(signal, (timed) => {
        if (answer === 'accept') return api.offers.accept({ params, idempotencyKey, signal: timed });
        if (answer === 'decline') return api.offers.decline({ params, idempotencyKey, signal: timed });
        return api.offers.remove({ params, signal: timed });
      });
      return answer;
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status > 0) refreshAll();
    },
    onSettled: refreshAll,
    meta: { showsError: true },
  });
}
