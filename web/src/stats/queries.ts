import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BreakdownDimension, PeriodFigure, PresentFigure } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { chosenDays, isMonth } from './periods.ts';
import type { Period } from './periods.ts';

const keys = { all: ['stats'], now: ['stats', 'now'], performance: ['stats', 'performance'], rows: ['stats', 'rows'] };

/** The rows of a period, and of a row of its breakdown alone. */
export interface RowsOf {
  from?: string;
  to?: string;
  by?: BreakdownDimension;
  key?: string;
}

export const statsQuery = () =>
  queryOptions({
    queryKey: keys.now,
    queryFn: ({ signal }) => api.stats.read({ signal }),
    meta: { showsError: true },
  });

export const performanceQuery = (period: Period) =>
  queryOptions({
    queryKey: [...keys.performance, period],
    queryFn: ({ signal }) =>
      api.stats.performance({
        query: chosenDays(period) ?? (isMonth(period) ? { month: period } : { days: period }),
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });

/** @param period undefined while it is not known; the query is disabled then */
export const breakdownQuery = (by: BreakdownDimension, period: { from: string; to: string } | undefined) =>
  queryOptions({
    queryKey: [...keys.all, 'breakdown', by, period],
    queryFn: ({ signal }) => api.stats.breakdown({ query: { by, ...period }, signal }),
    placeholderData: keepPreviousData,
    meta: { showsError: true },
  });

export const ownFiguresQuery = (period: { from: string; to: string }) =>
  queryOptions({
    queryKey: [...keys.all, 'own', period],
    queryFn: ({ signal }) => api.stats.own({ query: period, signal }),
    meta: { showsError: true },
  });

export const arrivalsQuery = () =>
  queryOptions({
    queryKey: [...keys.all, 'arrivals'],
    queryFn: ({ signal }) => api.stats.arrivals({ query: {}, signal }),
    meta: { showsError: true },
  });

export const needsQuery = () =>
  queryOptions({
    queryKey: [...keys.all, 'needs'],
    queryFn: ({ signal }) => api.stats.needs({ signal }),
    meta: { showsError: true },
  });

/** The routes of today as lines. Arrivals move with the time, too. */
export const lanesQuery = () =>
  queryOptions({
    queryKey: [...keys.all, 'lanes'],
    queryFn: ({ signal }) => api.routes.lanes({ signal }),
    refetchInterval: 60_000,
    meta: { showsError: true },
  });

export const latestEventsQuery = () =>
  queryOptions({
    queryKey: [...keys.all, 'events'],
    queryFn: ({ signal }) => api.stats.latestEvents({ query: {}, signal }),
    meta: { showsError: true },
  });

/** The rows behind a figure. Days are in the organisation's zone, as for all figures. */
export const figureRowsQuery = (figure: PresentFigure | PeriodFigure, period: RowsOf = {}) =>
  pagedQuery([...keys.rows, figure, period], (page, signal) =>
    api.stats.rows({ query: { figure, ...period, ...page }, signal }),
  );

export const refreshStats = () => refresh(keys.all);

export const refreshLanes = () => refresh(lanesQuery().queryKey);

const refreshNeeds = () => refresh(needsQuery().queryKey);

/** Invalidates every figure on live events while the screen is open. */
export function useLiveStats(): void {
  useInvalidation('package', refreshStats);
  useInvalidation('incident', refreshStats);
  useInvalidation('user', refreshStats);
  useInvalidation('sent', refreshNeeds);
  // Stops of drivers who are away were given to others.
  useInvalidation('route', refreshNeeds);
  // The organisation's time zone may have changed.
  useInvalidation('settings', refreshStats);
}

/** Recounts what the administrators' navigation shows, while it is mounted. */
export function useLiveNeeds(): void {
  useInvalidation('message', refreshNeeds);
  useInvalidation('user', refreshNeeds);
  // Drivers who are away.
  useInvalidation('shift', refreshNeeds);
}
