import type { PerformanceDay } from '@waybill/contract';
import { nice, ticks } from 'd3-array';
import { useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { formatDay } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { formatRate } from './figures.ts';

const none: readonly PerformanceDay[] = [];

interface PerformanceChartProps {
  days: readonly PerformanceDay[];
  /** As many days before them, which are marked for comparison. */
  before?: readonly PerformanceDay[];
  /** On the board, beside other panels. */
  isSmall?: boolean;
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

const weekdayOf = ({ day }: PerformanceDay) => weekday.format(new Date(day));
/** '20/11' */
const dateOf = ({ day }: PerformanceDay) => formatDay(day).slice(0, 5);
/** 'Fri 20/11' */
const nameOfDay = (day: PerformanceDay) => `${weekdayOf(day)} ${dateOf(day)}`;

const readoutOf = (day: PerformanceDay): string =>
  `${day.onTime} on time, ${day.late} late${day.onTimeRate === null ? '' : `, ${formatRate(day.onTimeRate)} on time`}`;

/**
 * Stacked bars per day: on time below, late above, hatched. Pointer, touch and arrow keys read out a day: the days are one slider, so
 * that they are one stop of the Tab key.
 */
export function PerformanceChart({ days, before = none, isSmall = false }: PerformanceChartProps) {
  const [read, setRead] = useState<number | null>(null);
  const maxCompleted = Math.max(
    1,
    ...days.map(({ completed }) => completed),
    ...before.map(({ completed }) => completed),
  );
  const [, max] = nice(0, maxCompleted, 4);
  const height = (count: number) => `${(100 * count) / max}%`;
  // As many as a phone has room for.
  const labelled = days.length <= 7 ? 1 : Math.ceil(days.length / 5);
  /** Beside the last day of many, whose label is wider than its bar. */
  const endRem = labelled > 1 ? 1 : 0;
  const onTime = days.reduce((sum, day) => sum + day.onTime, 0);
  const late = days.reduce((sum, day) => sum + day.late, 0);
  const last = days.length - 1;
  const at = Math.min(read ?? last, last);
  const shown = read === null ? undefined : days[at];

  const readAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    setRead(Math.max(0, Math.min(last, Math.floor(share * days.length))));
  };
  const move = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setRead(Math.max(0, Math.min(last, next)));
  };

  return (
    <div className={classes('relative', isSmall ? 'h-36' : 'h-72')}>
      <div
        role="img"
        aria-label={`Deliveries of ${days.length} days: ${onTime} on time, ${late} late`}
        className="absolute inset-0 pt-5 pb-6 pl-8"
      >
        <div className="relative size-full">
          {ticks(0, max, isSmall ? 3 : 4)
            .filter(Number.isInteger)
            .map((count) => (
              <div key={count} className="absolute inset-x-0 border-t border-line" style={{ bottom: height(count) }}>
                <span className="figures absolute -top-2 -left-8 w-6 text-right text-meta text-ink-3">{count}</span>
              </div>
            ))}
          <div className="absolute inset-0 flex" style={{ right: `${endRem}rem` }}>
            {days.map((day, index) => (
              <div
                key={day.day}
                className={classes('relative h-full min-w-0 flex-1', read !== null && index === at && 'bg-sunken')}
              >
                {before[index] && before[index].completed > 0 && (
                  <div
                    className="absolute inset-x-[12%] border-t-2 border-dashed border-control"
                    style={{ bottom: height(before[index].completed) }}
                  />
                )}
                <div
                  className="absolute bottom-0 left-1/2 flex w-[min(24px,68%)] -translate-x-1/2 flex-col overflow-hidden rounded-t-[3px]"
                  style={{ height: height(day.completed) }}
                >
                  <div className="hatched" style={{ flexGrow: day.late }} />
                  <div className={index === last ? 'bg-brand' : 'bg-control/60'} style={{ flexGrow: day.onTime }} />
                </div>
                {days.length === 7 && day.completed > 0 && (
                  <span
                    className="figures absolute left-1/2 mb-0.5 -translate-x-1/2 bg-surface px-1 text-meta text-ink-2"
                    style={{ bottom: height(day.completed) }}
                  >
                    {day.completed}
                  </span>
                )}
                {(last - index) % labelled === 0 && (
                  <span
                    className={classes(
                      'figures absolute top-full left-1/2 mt-1.5 -translate-x-1/2 text-meta whitespace-nowrap text-ink-3',
                      labelled === 1 && (last - index) % 2 === 1 && 'max-[22.5rem]:hidden',
                    )}
                  >
                    {days.length === 7 && !isSmall && <span className="max-sm:hidden">{weekdayOf(day)} </span>}
                    {dateOf(day)}
                  </span>
                )}
              </div>
            ))}
          </div>
          {onTime + late === 0 && (
            <span className="absolute inset-x-0 top-1/3 text-center text-ui text-ink-2">No data yet</span>
          )}
        </div>
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Day"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={at}
        aria-valuetext={days[at] && `${nameOfDay(days[at])}: ${readoutOf(days[at])}`}
        className="absolute top-0 bottom-6 left-8 cursor-crosshair touch-pan-y rounded-control"
        style={{ right: `${endRem}rem` }}
        onPointerMove={readAt}
        onPointerDown={readAt}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setRead(null)}
        onFocus={() => setRead(at)}
        onBlur={() => setRead(null)}
        onKeyDown={move}
      />
      {shown && (
        <div
          aria-hidden="true"
          className="figures pointer-events-none absolute top-0 z-10 -translate-x-1/2 rounded-control bg-stage px-3 py-2 text-meta whitespace-nowrap text-on-stage shadow-float"
          style={{
            left: `clamp(5.5rem, calc(2rem + (100% - ${2 + endRem}rem) * ${(at + 0.5) / days.length}), calc(100% - 5.5rem))`,
          }}
        >
          <p className="font-semibold">{nameOfDay(shown)}</p>
          <p>{readoutOf(shown)}</p>
          {before[at] && <p className="opacity-75">{before[at].completed} in the period before</p>}
        </div>
      )}
    </div>
  );
}
