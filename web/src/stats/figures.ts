import { formatLongMonth, localDay } from '../platform/formats.ts';
import { isMonth } from './periods.ts';
import type { CardFigure, Days, Period } from './periods.ts';

/** 'October 2026' or '30 days'. */
export const nameOfPeriod = (period: Period): string => (isMonth(period) ? formatLongMonth(period) : `${period} days`);

/** This month and the eleven before, newest first. */
export function recentMonths(today: Date): Exclude<Period, Days>[] {
  const months = Array.from({ length: 12 }, (_, ago) => new Date(today.getFullYear(), today.getMonth() - ago, 1));
  return months.map((first) => localDay(first).slice(0, 7)).filter(isMonth);
}

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
