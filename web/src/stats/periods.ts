import type { BreakdownDimension, PresentFigure } from '@waybill/contract';

// What addresses name: apart from the formats, which the shell of the application does not need.

/** Lengths of a performance period, in days. */
export const periods = ['7', '30', '90'] as const;
export type Days = (typeof periods)[number];
/** Whether a period is one of the last days. */
export const isDays = (period: string): period is Days => periods.some((days) => days === period);

type Month = `${number}-${number}`;
type Range = `${string}..${string}`;
/** The last n days, a calendar month `YYYY-MM`, or chosen days `YYYY-MM-DD..YYYY-MM-DD`, both inclusive. */
export type Period = Days | Month | Range;

export const isMonth = (period: string): period is Month => /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(period);

/** The days of a chosen period; undefined for any other. */
export function chosenDays(period: string): { from: string; to: string } | undefined {
  const [, from, to] = /^([12]\d{3}-\d\d-\d\d)\.\.([12]\d{3}-\d\d-\d\d)$/.exec(period) ?? [];
  return from && to && from <= to && isDay(from) && isDay(to) ? { from, to } : undefined;
}

/** As many days right before a period. */
export function daysBefore(from: string, count: number): Period {
  const day = (ago: number) => new Date(Date.parse(from) - ago * 86_400_000).toISOString().slice(0, 10);
  return `${day(count)}..${day(1)}`;
}

const isDay = (day: string) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

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
