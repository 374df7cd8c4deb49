import { fill } from '@waybill/contract';
import type { Breakdown } from '@waybill/contract';
import { daysBetween, formatCount, formatDay } from '../platform/formats.ts';
import { money } from '../platform/money.ts';
import { classes } from '../ui/classes.ts';
import { FigureMeanings } from './FigureMeanings.tsx';
import { english, formatChange, formatDecimals, formatPercent, type FigureWords } from './breakdown-columns.tsx';

interface Total {
  field: 'completed' | 'onTimeRate' | 'firstAttemptSuccess' | 'stopsPerHour' | 'minutesAtDoor' | 'returns';
  format: (value: number) => string;
  /** The change from one period to the next: its text, and whether it is for the better. */
  change: (change: number, words: FigureWords) => string | null;
  isBetter?: 'more' | 'less';
}

/** '+0.6 points' */
const inTenths = (change: number, unit: string) => {
  const tenths = Math.round(change * 10) / 10;
  return tenths === 0 ? null : `${tenths > 0 ? '+' : '−'}${formatDecimals(Math.abs(tenths))}${unit}`;
};
const inPoints: Total['change'] = (change, { points }) => inTenths(change, points);

const totals: readonly Total[] = [
  { field: 'completed', format: formatCount, change: formatChange, isBetter: 'more' },
  { field: 'onTimeRate', format: formatPercent, change: inPoints, isBetter: 'more' },
  { field: 'firstAttemptSuccess', format: formatPercent, change: inPoints, isBetter: 'more' },
  {
    field: 'stopsPerHour',
    format: (value) => formatDecimals(value),
    change: (change) => inTenths(change, ''),
    isBetter: 'more',
  },
  {
    field: 'minutesAtDoor',
    format: (minutes) => `${minutes < 10 ? formatDecimals(minutes) : formatCount(Math.round(minutes))} min`,
    change: (change) => inTenths(change, ' min'),
    isBetter: 'less',
  },
  { field: 'returns', format: formatCount, change: formatChange, isBetter: 'less' },
];

/** Whether anything ended in the period before; else it is said once that there is nothing to compare, instead of below each figure. */
const isCompared = ({ completed, failed, returns }: Breakdown['before']) => completed + failed + returns > 0;

interface BreakdownTotalsProps extends Breakdown {
  words?: FigureWords;
}

/** The figures of a period, and how they differ from those of the period before. */
export const BreakdownTotals = ({
  totals: present,
  before,
  from,
  to,
  currency,
  words = english,
}: BreakdownTotalsProps) => (
  <>
    <p className="px-5 pb-4 text-ui text-ink-2">
      {isCompared(before)
        ? fill(words.period, {
            from: formatDay(from),
            to: formatDay(to),
            days: formatCount(daysBetween(from, to) + 1),
          })
        : `${fill(words.days, { from: formatDay(from), to: formatDay(to) })} · ${words.nothing}`}
    </p>
    <dl
      className={classes(
        'grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line px-5 py-4 @min-[36rem]:grid-cols-3',
        currency !== null && present.cost !== null ? '@min-[56rem]:grid-cols-7' : '@min-[56rem]:grid-cols-6',
      )}
    >
      {totals.map(({ field, format, change, isBetter }) => {
        const [now, then] = [present[field], before[field]];
        const difference = now === null || then === null ? 0 : now - then;
        const text = change(difference, words);
        return (
          <div key={field}>
            <dt className="text-table text-ink-3">{words[field]}</dt>
            <dd className="figures text-section font-semibold text-ink">
              {now === null ? <span className="font-normal text-ink-3">–</span> : format(now)}
              {isCompared(before) && (
                <span
                  className={classes(
                    'block text-meta font-medium',
                    text === null
                      ? 'text-ink-3'
                      : difference > 0 === (isBetter === 'more')
                        ? 'text-green-ink'
                        : 'text-red-ink',
                  )}
                >
                  {then === null || now === null
                    ? words.nothing
                    : text === null
                      ? words.same
                      : fill(words.change, { change: text })}
                </span>
              )}
            </dd>
          </div>
        );
      })}
      {currency !== null && present.cost !== null && (
        <div>
          <dt className="text-table text-ink-3">Cost of driving</dt>
          <dd className="figures text-section font-semibold text-ink">
            {money(present.cost, currency)}
            <span className="block text-meta font-medium text-ink-3">of finished routes</span>
          </dd>
        </div>
      )}
    </dl>
    <FigureMeanings words={words} />
  </>
);
