import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { DriverOnDuty, Page, Shift, ShiftInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { msUntilNext } from './time-until-next.ts';
import { boundsOf } from './week.ts';

export const maxPerPage = 200;
const timesOf = ({ startsAt, endsAt }: Shift) => [startsAt, endsAt];
const dutyTimesOf = ({ until, next }: DriverOnDuty) => [until, next];

const keys = {
  all: ['shifts'],
  week: (monday: string) => ['shifts', 'week', monday],
  drivers: ['shifts', 'drivers'],
  mine: ['shifts', 'mine'],
};

export async function readAll<T>(read: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor);
    all.push(...page.items);
    if (page.next === null) return all;
    cursor = page.next;
  }
}

/** Every shift that overlaps a week. */
export const weekQuery = (monday: string) =>
  queryOptions({
    queryKey: keys.week(monday),
    queryFn: ({ signal }) =>
      readAll((cursor) => api.shifts.list({ query: { ...boundsOf(monday), limit: maxPerPage, cursor }, signal })),
    refetchInterval: ({ state: { data } }) => msUntilNext(data?.flatMap(timesOf) ?? []),
    meta: { showsError: true },
  });

/** Drivers by name, paginated: the rows of the schedule. */
export const driverRowsQuery = (q = '') =>
  infiniteQueryOptions({
    ...pagedQuery(
      [...keys.drivers, 'rows', q],
      (page, signal) => api.shifts.drivers({ query: { order: 'name', q: q || undefined, ...page }, signal }),
      50,
    ),
    refetchInterval: ({ state: { data } }) =>
      msUntilNext(data?.pages.flatMap(({ items }) => items.flatMap(dutyTimesOf)) ?? []),
  });

/** All active drivers, to whom shifts and deliveries can be assigned; those on duty first. */
export const activeDriversQuery = () =>
  queryOptions({
    queryKey: [...keys.drivers, 'active'],
    queryFn: ({ signal }) =>
      readAll((cursor) => api.shifts.drivers({ query: { status: 'active', limit: maxPerPage, cursor }, signal })),
    refetchInterval: ({ state: { data } }) => msUntilNext(data?.flatMap(dutyTimesOf) ?? []),
    meta: { showsError: true },
  });

/** The driver's current or next shift that is worked; null when none is planned. */
export const ownShiftQuery = () =>
  queryOptions({
    queryKey: keys.mine,
    queryFn: async ({ signal }) =>
      (await api.shifts.mine({ query: { limit: 20 }, signal })).items.find(({ absence }) => absence === null) ?? null,
    refetchInterval: ({ state: { data } }) => msUntilNext(data ? timesOf(data) : []),
    meta: { showsError: true },
  });

/** Creates a shift, or updates the given one (optimistic lock on its version). */
export function useSaveShift(shift: Pick<Shift, 'id' | 'version'> | null) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: ShiftInput, signal) =>
      shift
        ? api.shifts.update({ params: { id: shift.id }, body: { ...body, version: shift.version }, signal })
        : api.shifts.create({ body, idempotencyKey: keyOf(body), signal }),
    onSettled: () => refresh(keys.all),
    meta: { showsError: true },
  });
}

export const useDeleteShift = (id: string) =>
  useSingleMutation({
    mutationFn: (_, signal) => api.shifts.remove({ params: { id }, signal }),
    onSettled: () => refresh(keys.all),
    meta: { showsError: true },
  });

export function useCopyWeek() {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (week: string, signal) => {
      const body = { week, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
      return api.shifts.copyWeek({ body, idempotencyKey: keyOf(body), signal });
    },
    onSettled: () => refresh(keys.all),
    meta: { showsError: true },
  });
}

/** Assigns a package to a driver. */
export function useAssignDriver(packageId: string) {
  const keyOf = useIdempotencyKey();
  return useSingleMutation({
    mutationFn: (body: { driverId: string; confirm: boolean }, signal) =>
      api.deliveries.assign({ params: { id: packageId }, body, idempotencyKey: keyOf(body), signal }),
    onSettled: () => refresh(keys.drivers),
    meta: { showsError: true },
  });
}

/** Invalidates shifts and who is on duty on live events while the screen is open. */
export function useLiveShifts(): void {
  useInvalidation('shift', () => refresh(keys.all));
  useInvalidation('user', () => refresh(keys.all));
  useInvalidation('delivery', () => refresh(keys.drivers));
}
