import type { PresentFigure } from '@waybill/contract';
import { formatLongMonth, localDay } from '../platform/formats.ts';

/** Lengths of a performance period, in days. */
export const periods = ['7', '30', '90'] as const;
export type Days = (typeof periods)[number];
/** The last n days, or a calendar month `YYYY-MM`. */
export type Period = Days | `${number}-${number}`;

export const isMonth = (period: string): period is Exclude<Period, Days> => /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(period);

/** 'October 2026' or '30 days'. */
export const nameOfPeriod = (period: Period): string => (isMonth(period) ? formatLongMonth(period) : `${period} days`);

/** This month and the eleven before, newest first. */
export function recentMonths(today: Date): Exclude<Period, Days>[] {
  const months = Array.from({ length: 12 }, (_, ago) => new Date(today.getFullYear(), today.getMonth() - ago, 1));
  return months.map((first) => localDay(first).slice(0, 7)).filter(isMonth);
}

/** The four cards of the dashboard: each shows the rows of its figure below. */
export const cardFigures = [
  'activePackages',
  'activeDrivers',
  'totalUsers',
  'openIssues',
] as const satisfies readonly PresentFigure[];
export type CardFigure = (typeof cardFigures)[number];

export const cardNames: Record<CardFigure, string> = {
  activePackages: 'Active Packages',
  activeDrivers: 'Active Drivers',
  totalUsers: 'Total Users',
  openIssues: 'Open Issues',
};

const noData = 'No data yet';

/** 93.3% */
export const formatRate = (rate: number | null): string => (rate === null ? noData : `${rate.toFixed(1)}%`);

/** 95 min */
export const formatMinutes = (minutes: number | null): string =>
  minutes === null ? noData : `${Math.round(minutes).toLocaleString('en')} min`;

/** 4.5/5.0 */
export const formatStars = (stars: number | null): string => (stars === null ? noData : `${stars.toFixed(1)}/5.0`);
