import { queryOptions } from '@tanstack/react-query';
import type { Absence, AbsenceInput, OwnAbsenceInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { refresh } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { maxPerPage, readAll } from './queries.ts';
import { addDays } from './week.ts';

/** Of everything about shifts, which live events refresh. */
const all = ['shifts'];

/** Every absence that overlaps a week. */
export const weekAbsencesQuery = (monday: string) =>
  queryOptions({
    queryKey: [...all, 'absences', monday],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        api.absences.list({ query: { from: monday, to: addDays(monday, 6), limit: maxPerPage, cursor }, signal }),
      ),
    meta: { showsError: true },
  });

/** The driver's absences of today and later. */
export const ownAbsencesQuery = () =>
  queryOptions({
    queryKey: [...all, 'absences', 'mine'],
    queryFn: async ({ signal }) => (await api.absences.mine({ query: { limit: 50 }, signal })).items,
    meta: { showsError: true },
  });

/** Creates an absence, or updates the given one (optimistic lock on its version). */
export function useSaveAbsence(absence: Pick<Absence, 'id' | 'version'> | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: ({ driverId, ...content }: AbsenceInput, signal) =>
      absence
        ? api.absences.update({ params: { id: absence.id }, body: { ...content, version: absence.version }, signal })
        : api.absences.create({ body: { ...content, driverId }, idempotencyKey: keyOf({ driverId, content }), signal }),
    onSettled: () => refresh(all),
    meta: { showsError: true },
  });
}

/** The same for an absence of the driver who is signed in. */
export function useReportAbsence(absence: Pick<Absence, 'id' | 'version'> | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: OwnAbsenceInput, signal) =>
      absence
        ? api.absences.update({ params: { id: absence.id }, body: { ...body, version: absence.version }, signal })
        : api.absences.report({ body, idempotencyKey: keyOf(body), signal }),
    onSettled: () => refresh(all),
    meta: { showsError: true },
  });
}

export const useDeleteAbsence = () =>
  useSingleMutation({
    mutationFn: (id: string, signal) => api.absences.remove({ params: { id }, signal }),
    onSettled: () => refresh(all),
    meta: { showsError: true },
  });
