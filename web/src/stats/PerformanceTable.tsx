import type { PerformanceDay } from '@waybill/contract';
import { formatDay } from '../platform/formats.ts';
import { reachableWhenScrolling } from '../ui/scrollable.ts';
import { formatMinutes, formatRate } from './figures.ts';

/** The chart's data as a table, newest day first. */
export function PerformanceTable({ days }: { days: readonly PerformanceDay[] }) {
  return (
    <div ref={reachableWhenScrolling} className="max-h-80 overflow-auto">
      <table aria-label="Delivery performance by day" className="w-full text-left text-ui">
        <thead className="sticky top-0 bg-surface text-table text-ink-3">
          <tr>
            {['Day', 'On time', 'Late', 'Failed', 'Attempt Success Rate', 'Delivery Time'].map((name) => (
              <th
                key={name}
                scope="col"
                className="py-2 pr-4 font-medium whitespace-nowrap not-first:text-right last:pr-0"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures divide-y divide-line">
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row" className="py-2 pr-4 font-medium">
                {formatDay(day.day)}
              </th>
              <td className="py-2 pr-4 text-right">{day.onTime}</td>
              <td className="py-2 pr-4 text-right">{day.late}</td>
              <td className="py-2 pr-4 text-right">{day.failed}</td>
              <td className="py-2 pr-4 text-right">{day.successRate === null ? '–' : formatRate(day.successRate)}</td>
              <td className="py-2 text-right whitespace-nowrap">
                {day.averageDeliveryTime === null ? '–' : formatMinutes(day.averageDeliveryTime)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
