import type { PresentFigure } from '@waybill/contract';

/** Days that a period of performance may have. */
export const periods = ['7', '30', '90'] as const;
export type Period = (typeof periods)[number];

/** The four cards of the dashboard: each filters what stands below by its figure. */
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
