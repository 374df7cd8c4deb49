import { formatDay, formatLongMonth, localDay } from '../platform/formats.ts';
import { chosenDays, isMonth } from './periods.ts';
import type { CardFigure, Period } from './periods.ts';

/** 'October 2026', '30 days' or '01/10/2026 to 14/10/2026'. */
export function nameOfPeriod(period: Period): string {
  const chosen = chosenDays(period);
  if (chosen) return `${formatDay(chosen.from)} to ${formatDay(chosen.to)}`;
  return isMonth(period) ? formatLongMonth(period) : `${period} days`;
}

/** 'Last 30 days', or 'Figures for October 2026'. */
export const titleOfPeriod = (period: Period): string =>
  chosenDays(period) || isMonth(period) ? `Figures for ${nameOfPeriod(period)}` : `Last ${nameOfPeriod(period)}`;

/** This month and the eleven before, newest first. */
export function recentMonths(today: Date): Period[] {
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
