import type { AttemptFigures, Breakdown } from '@waybill/contract';
import { daysBetween, formatCount, formatDay } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { formatChange } from './breakdown-columns.tsx';
import { formatMinutes, formatRate } from './figures.ts';

interface Total {
  name: string;
  value: (figures: AttemptFigures) => number | null;
  format: (value: number | null) => string;
  /** The change from one period to the next: its text, and whether it is for the better. */
  change: (change: number) => string | null;
  isBetter?: 'more' | 'less';
}

const formatDecimal = (value: number | null) => (value === null ? 'No data yet' : value.toFixed(1));
/** '+0.6 points' */
const inTenths = (unit: string) => (change: number) => {
  const tenths = Math.round(change * 10) / 10;
  return tenths === 0 ? null : `${tenths > 0 ? '+' : '−'}${Math.abs(tenths).toFixed(1)}${unit}`;
};

const totals: readonly Total[] = [
  {
    name: 'Delivered',
    value: ({ completed }) => completed,
    format: (value) => formatCount(value ?? 0),
    change: formatChange,
    isBetter: 'more',
  },
  {
    name: 'On time',
    value: ({ onTimeRate }) => onTimeRate,
    format: formatRate,
    change: inTenths(' points'),
    isBetter: 'more',
  },
  {
    name: 'First attempt',
    value: ({ firstAttemptSuccess }) => firstAttemptSuccess,
    format: formatRate,
    change: inTenths(' points'),
    isBetter: 'more',
  },
  {
    name: 'Stops an hour',
    value: ({ stopsPerHour }) => stopsPerHour,
    format: formatDecimal,
    change: inTenths(''),
    isBetter: 'more',
  },
  {
    name: 'At the door',
    value: ({ minutesAtDoor }) => minutesAtDoor,
    format: (minutes) => (minutes !== null && minutes < 10 ? `${minutes.toFixed(1)} min` : formatMinutes(minutes)),
    change: inTenths(' min'),
    isBetter: 'less',
  },
  {
    name: 'Returns',
    value: ({ returns }) => returns,
    format: (value) => formatCount(value ?? 0),
    change: formatChange,
    isBetter: 'less',
  },
];

/** The figures of a period, and how they differ from those of the period before. */
export const BreakdownTotals = ({ totals: present, before, from, to }: Breakdown) => (
  <>
    <p className="px-5 pb-4 text-ui text-ink-2">
      {formatDay(from)} to {formatDay(to)}, compared with the {formatCount(daysBetween(from, to) + 1)} days before
    </p>
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line px-5 py-4 @min-[36rem]:grid-cols-3 @min-[56rem]:grid-cols-6">
      {totals.map(({ name, value, format, change, isBetter }) => {
        const [now, then] = [value(present), value(before)];
        const difference = now === null || then === null ? 0 : now - then;
        const text = change(difference);
        return (
          <div key={name}>
            <dt className="text-table text-ink-3">{name}</dt>
            <dd className="figures text-section font-semibold text-ink">
              {format(now)}
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
                  ? 'Nothing to compare'
                  : text === null
                    ? 'As before'
                    : `${text} than before`}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  </>
);
