import type { BreakdownDimension, PresentFigure } from '@waybill/contract';

// What addresses name: apart from the formats, which the shell of the application does not need.

/** Lengths of a performance period, in days. */
export const periods = ['7', '30', '90'] as const;
export type Days = (typeof periods)[number];
/** The last n days, or a calendar month `YYYY-MM`. */
export type Period = Days | `${number}-${number}`;

export const isMonth = (period: string): period is Exclude<Period, Days> => /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(period);

/** The four cards of the dashboard: each shows the rows of its figure below. */
export const cardFigures = [
  'activePackages',
  'activeDrivers',
  'totalUsers',
  'openIssues',
] as const satisfies readonly PresentFigure[];
export type CardFigure = (typeof cardFigures)[number];

/** What figures can be broken down by; the contract's list, which the shell does not need. */
export const dimensions = [
  'month',
  'driver',
  'owner',
  'town',
  'depot',
  'route',
] as const satisfies readonly BreakdownDimension[];
