import type { PerformanceTotals, PeriodFigure } from '@waybill/contract';
import { ChevronRight } from 'lucide-react';
import { formatCount } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { formatMinutes, formatRate, formatStars } from './figures.ts';
import { Denominator } from './Denominator.tsx';

interface Line {
  name: string;
  value: string;
  /** The denominator of a rate, or the base of an average. */
  of?: string;
  /** The figure whose rows are shown. */
  figure: PeriodFigure;
}

/** Every figure of a period, in the order of a delivery. */
export const figureLines = (totals: PerformanceTotals): Line[] => [
  { name: 'Packages registered', value: formatCount(totals.created), figure: 'created' },
  { name: 'Deliveries started', value: formatCount(totals.started), figure: 'started' },
  { name: 'Deliveries completed', value: formatCount(totals.completed), figure: 'completed' },
  { name: 'Completed on time', value: formatCount(totals.onTime), figure: 'onTime' },
  { name: 'Completed late', value: formatCount(totals.late), figure: 'late' },
  { name: 'Attempts failed', value: formatCount(totals.failed), figure: 'failed' },
  {
    name: 'Attempt Success Rate',
    value: formatRate(totals.successRate),
    of: 'of all finished attempts',
    figure: 'attempts',
  },
  { name: 'On-Time Rate', value: formatRate(totals.onTimeRate), of: 'of those completed', figure: 'completed' },
  {
    name: 'First-Attempt Success',
    value: formatRate(totals.firstAttemptSuccess),
    of: 'of all finished first attempts',
    figure: 'firstAttempts',
  },
  {
    name: 'Average Delivery Time',
    value: formatMinutes(totals.averageDeliveryTime),
    of: 'from start to completion',
    figure: 'completed',
  },
  { name: 'Issues opened', value: formatCount(totals.issuesOpened), figure: 'issuesOpened' },
  { name: 'Issues resolved', value: formatCount(totals.issuesResolved), figure: 'issuesResolved' },
  { name: 'Ratings', value: formatCount(totals.ratings), figure: 'ratings' },
  {
    name: 'Customer Satisfaction',
    value: formatStars(totals.satisfaction),
    of: 'average of the ratings',
    figure: 'ratings',
  },
];

interface PeriodFiguresProps {
  totals: PerformanceTotals;
  chosen: string | undefined;
  onChoose: (name: string) => void;
}

/** Pressing a figure shows its rows. */
export function PeriodFigures({ totals, chosen, onChoose }: PeriodFiguresProps) {
  return (
    // Without a list beside it, in two columns.
    <ul className="divide-y divide-line border-t border-line @min-[36rem]:@max-[56rem]:grid @min-[36rem]:@max-[56rem]:grid-cols-2">
      {figureLines(totals).map(({ name, value, of }) => (
        <li
          key={name}
          className="@min-[36rem]:@max-[56rem]:odd:border-r @min-[36rem]:@max-[56rem]:odd:border-line @min-[36rem]:@max-[56rem]:nth-last-2:border-b-0"
        >
          <button
            type="button"
            aria-pressed={chosen === name}
            onClick={() => onChoose(name)}
            className={classes(
              'flex h-full min-h-11 w-full items-center gap-3 px-5 text-left text-ui transition-colors focus-visible:-outline-offset-2',
              chosen === name ? 'bg-brand-soft' : 'hover:bg-sunken',
            )}
          >
            <span className="grow py-1 text-ink-2">
              {name}
              {of && <Denominator>{of}</Denominator>}
            </span>
            <span className="figures font-semibold whitespace-nowrap">{value}</span>
            <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}
