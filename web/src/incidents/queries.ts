import { queryOptions } from '@tanstack/react-query';
import type { MoveIncidentInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';

const lists = ['incidents', 'list'];

/** The newest incidents. */
export const recentIncidentsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...lists, 'recent', limit],
    queryFn: async ({ signal }) => (await api.incidents.list({ query: { limit }, signal })).items,
    meta: { showsError: true },
  });

/** All incidents in the reader's scope: their own, or all for administrators. */
export const incidentListQuery = () =>
  pagedQuery([...lists, 'pages'], (page, signal) => api.incidents.list({ query: { ...page }, signal }));

export const incidentQuery = (id: number) =>
  queryOptions({
    queryKey: [...lists, 'one', id],
    queryFn: ({ signal }) => api.incidents.read({ params: { id: String(id) }, signal }),
  });

export const useMoveIncident = (id: number) =>
  useSingleMutation({
    mutationFn: (body: Pick<MoveIncidentInput, 'status' | 'note'>, signal) =>
      api.incidents.move({ params: { id: String(id) }, body, signal }),
    onSettled: () => refresh(lists),
    meta: { showsError: true },
  });

export const refreshIncidents = () => refresh(lists);

export const useLiveIncidents = () => useInvalidation('incident', refreshIncidents);
