import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../platform/formats.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { formatMinutes, formatRate } from './figures.ts';
import { daysBefore } from './periods.ts';
import type { Period } from './periods.ts';
import { Denominator } from './Denominator.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PerformanceChart } from './PerformanceChart.tsx';
import { PerformanceTable } from './PerformanceTable.tsx';
import { PeriodChoice } from './PeriodChoice.tsx';
import { performanceQuery } from './queries.ts';
import { ZoneNote } from './ZoneNote.tsx';

interface PerformancePanelProps {
  period: Period;
  /** Calendar months offered besides the last 7, 30 and 90 days; with them any days can be chosen. */
  months?: readonly Period[];
  onPeriod: (period: Period) => void;
  /** On the board, beside other panels. */
  isSmall?: boolean;
}

/** The period that also holds the days before this one, if there is one: then both are fetched at once. */
const longerThan = (period: Period): Period | undefined => ({ '7': '30', '30': '90' } as const)[period as '7' | '30'];

/** Deliveries on time and late, day by day. */
export function PerformancePanel({ period, months, onPeriod, isSmall = false }: PerformancePanelProps) {
  const [asTable, setAsTable] = useState(false);
  const query = useQuery(performanceQuery(period));
  const shown = query.isPlaceholderData ? [] : (query.data?.days ?? []);
  const [first, last] = [shown[0]?.day, shown.at(-1)?.day];
  const compared = longerThan(period) ?? (first === undefined ? undefined : daysBefore(first, shown.length));
  const around = useQuery({ ...performanceQuery(compared ?? period), enabled: compared !== undefined });
  const before =
    compared && around.data && !around.isPlaceholderData
      ? around.data.days.filter(({ day }) => first !== undefined && day < first).slice(-shown.length)
      : [];
  return (
    <Panel
      title="Delivery Performance"
      query={query}
      loadingHeight={isSmall ? 'h-56' : 'h-92'}
      actions={
        <div
          className={classes(
            'flex flex-wrap gap-2 max-sm:-ml-4 sm:justify-end md:pointer-fine:[&_:is(button,input,select)]:min-h-9 md:pointer-fine:[&_:is(input,select)]:text-ui',
            !isSmall && 'sm:flex-1',
          )}
        >
          <Button
            variant="ghost"
            aria-pressed={asTable}
            icon={
              asTable ? (
                <ChartNoAxesColumn aria-hidden="true" className="size-4" />
              ) : (
                <Table2 aria-hidden="true" className="size-4" />
              )
            }
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? 'Chart' : 'Table'}
          </Button>
          <PeriodChoice
            period={period}
            onPeriod={onPeriod}
            {...(months && { months, days: { shown: first && last ? { from: first, to: last } : undefined } })}
          />
        </div>
      }
    >
      {({ days, totals }) => (
        <div className={classes('transition-opacity', query.isPlaceholderData && 'opacity-60')}>
          <div className="mb-4 grid grid-cols-2 gap-x-4 gap-y-3 sm:flex sm:flex-wrap">
            <Total name="On time" dot="bg-control/60" value={formatCount(totals.onTime)} />
            <Total name="Late" dot="hatched" value={formatCount(totals.late)} />
            {before.length > 0 && (
              <Total
                name={`${days.length} days before`}
                dot="h-0! w-4! rounded-none! border-t-2 border-dashed border-control"
                value={formatCount(before.reduce((sum, { completed }) => sum + completed, 0))}
              />
            )}
            {/* Of this period: 'Average Delivery Time' stands beside the board's figures of all time. */}
            <Total name="Average Time" value={formatMinutes(totals.averageDeliveryTime)} />
            <Total name="Attempt Success Rate" value={formatRate(totals.successRate)} of="of all finished attempts" />
          </div>
          <ZoneNote />
          {asTable ? (
            <PerformanceTable days={days} />
          ) : (
            <PerformanceChart days={days} before={before} isSmall={isSmall} />
          )}
        </div>
      )}
    </Panel>
  );
}

function Total({ name, value, dot, of }: { name: string; value: string; dot?: string; of?: string }) {
  return (
    <div className={of && 'sm:grow sm:basis-32'}>
      <p className={classes('flex items-center gap-1.5 text-table text-ink-3', dot && 'whitespace-nowrap')}>
        {dot && <span aria-hidden="true" className={classes('size-2.5 shrink-0 rounded-full', dot)} />}
        {name}
      </p>
      <p className="figures text-section font-semibold">{value}</p>
      {of && <Denominator>{of}</Denominator>}
    </div>
  );
}
