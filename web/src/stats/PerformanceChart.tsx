import type { PerformanceDay } from '@waybill/contract';
import { nice, ticks } from 'd3-array';
import { formatDay } from '../platform/formats.ts';

const height = 288;
const top = 12;
const bottom = 28;
/** Space for the axis labels, in percent of the width. */
const left = 7;

interface PerformanceChartProps {
  days: readonly PerformanceDay[];
}

/** Stacked bars per day: on time below, late above. Positions are in percent of the width, so nothing is measured. */
export function PerformanceChart({ days }: PerformanceChartProps) {
  const maxCompleted = Math.max(1, ...days.map(({ completed }) => completed));
  const [, max] = nice(0, maxCompleted, 4);
  const y = (count: number) => top + (height - top - bottom) * (1 - count / max);
  const slot = (100 - left) / days.length;
  const labelled = Math.ceil(days.length / 7);
  const onTime = days.reduce((sum, day) => sum + day.onTime, 0);
  const late = days.reduce((sum, day) => sum + day.late, 0);
  return (
    <svg
      role="img"
      aria-label={`Deliveries of ${days.length} days: ${onTime} on time, ${late} late`}
      width="100%"
      height={height}
      className="block overflow-visible"
    >
      {ticks(0, max, 4)
        .filter(Number.isInteger)
        .map((count) => (
          <g key={count}>
            <line x1={`${left}%`} x2="100%" y1={y(count)} y2={y(count)} className="stroke-line" />
            <text x={`${left - 1}%`} y={y(count) + 4} textAnchor="end" className="figures fill-ink-3 text-meta">
              {count}
            </text>
          </g>
        ))}
      {onTime + late === 0 && (
        <text x="50%" y={y(max / 2)} textAnchor="middle" className="fill-ink-2 text-ui">
          No data yet
        </text>
      )}
      {days.map((day, index) => {
        const x = left + slot * index;
        const width = Math.min(slot * 0.64, 6);
        const from = `${x + (slot - width) / 2}%`;
        return (
          <g key={day.day}>
            <title>{`${formatDay(day.day)}: ${day.onTime} on time, ${day.late} late`}</title>
            <rect x={`${x}%`} y={top} width={`${slot}%`} height={height - top - bottom} fill="transparent" />
            <rect
              x={from}
              y={y(day.onTime)}
              width={`${width}%`}
              height={y(0) - y(day.onTime)}
              className="fill-green-dot"
            />
            <rect
              x={from}
              y={y(day.onTime + day.late)}
              width={`${width}%`}
              height={y(day.onTime) - y(day.onTime + day.late)}
              className="fill-red-dot"
            />
            {(days.length - 1 - index) % labelled === 0 && (
              <text x={`${x + slot / 2}%`} y={height - 8} textAnchor="middle" className="figures fill-ink-3 text-meta">
                {formatDay(day.day).slice(0, 5)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
