import { useQuery } from '@tanstack/react-query';
import type { DeliveriesInput, User } from '@waybill/contract';
import { useState } from 'react';
import { useSession } from '../platform/session.ts';
import { activeDeliveryCountQuery, candidateDriversQuery } from './admin-queries.ts';

export const reassignmentOptions = ['give', 'release', 'keep'] as const;
export type ReassignmentOption = (typeof reassignmentOptions)[number];

/** What a driver has under way, and what is to become of it: asked while `asked`, and only where there is something. */
export function useReassignment(user: Pick<User, 'id'> | null, asked: boolean) {
  const mayAssign = useSession().permissions.includes('deliveries.assign');
  const count = useQuery({ ...activeDeliveryCountQuery(user?.id ?? ''), enabled: asked && user !== null });
  const isAsked = asked && (count.data ?? 0) > 0;
  const [q, setQ] = useState('');
  const takers = useQuery({ ...candidateDriversQuery(q), enabled: isAsked && mayAssign });
  const [fate, setFate] = useState<ReassignmentOption>('keep');
  const [driverId, setDriverId] = useState('');
  const [missing, setMissing] = useState(false);
  const answer: DeliveriesInput | undefined =
    !isAsked || !mayAssign ? undefined : fate === 'give' ? { driverId } : fate;
  return {
    count,
    isCounting: asked && count.isPending,
    isAsked,
    mayAssign,
    takers,
    others: takers.data?.items.filter(({ id }) => id !== user?.id) ?? [],
    q,
    /** There are more than the list has: a search finds them. */
    hasMore: q !== '' || (takers.data?.next ?? null) !== null,
    search: (typed: string) => {
      setQ(typed);
      setDriverId('');
    },
    fate,
    setFate,
    driverId,
    setDriverId: (id: string) => {
      setDriverId(id);
      setMissing(false);
    },
    error: missing ? 'Please choose a driver' : undefined,
    answer,
    /** Whether there is an answer to send; if not, says so. */
    isAnswered() {
      const lacks = answer !== undefined && typeof answer === 'object' && answer.driverId === '';
      setMissing(lacks);
      return !lacks;
    },
  };
}
export type Reassignment = ReturnType<typeof useReassignment>;
