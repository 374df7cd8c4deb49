import { useQuery } from '@tanstack/react-query';
import type { DeliveriesInput, User } from '@waybill/contract';
import { useState } from 'react';
import { useSession } from '../platform/session.ts';
import { activeDeliveryCountQuery, candidateDriversQuery } from './admin-queries.ts';

export const reassignmentOptions = ['give', 'release', 'keep'] as const;
export type ReassignmentOption = (typeof reassignmentOptions)[number];

/**
 * The choice of what happens to the deliveries in progress of a driver who is suspended or deleted: reassign, release or keep them.
 * @param enabled whether the driver leaves; the choice is needed only if there are such deliveries
 */
export function useReassignment(user: Pick<User, 'id'> | null, enabled: boolean) {
  const mayAssign = useSession().permissions.includes('deliveries.assign');
  const count = useQuery({ ...activeDeliveryCountQuery(user?.id ?? ''), enabled: enabled && user !== null });
  const isNeeded = enabled && (count.data ?? 0) > 0;
  const [q, setQ] = useState('');
  const candidates = useQuery({ ...candidateDriversQuery(q), enabled: isNeeded && mayAssign });
  const [option, setOption] = useState<ReassignmentOption>('keep');
  const [driverId, setDriverId] = useState('');
  const [missing, setMissing] = useState(false);
  const input: DeliveriesInput | undefined =
    !isNeeded || !mayAssign ? undefined : option === 'give' ? { driverId } : option;
  return {
    count,
    isCounting: enabled && count.isPending,
    isNeeded,
    mayAssign,
    candidates,
    others: candidates.data?.items.filter(({ id }) => id !== user?.id) ?? [],
    q,
    /** Whether there may be more candidates than the list holds; they are found by search. */
    hasMore: q !== '' || (candidates.data?.next ?? null) !== null,
    search: (typed: string) => {
      setQ(typed);
      setDriverId('');
    },
    option,
    setOption,
    driverId,
    setDriverId: (id: string) => {
      setDriverId(id);
      setMissing(false);
    },
    error: missing ? 'Please choose a driver' : undefined,
    /** The request body's `deliveries`; undefined if no choice is needed. */
    input,
    /** Returns whether the choice is complete; otherwise sets `error`. */
    validate() {
      const isMissing = input !== undefined && typeof input === 'object' && input.driverId === '';
      setMissing(isMissing);
      return !isMissing;
    },
  };
}
export type Reassignment = ReturnType<typeof useReassignment>;
