import { useQuery } from '@tanstack/react-query';
import { permissionForRows } from '@waybill/contract';
import type { Performance, PerformanceDay, Stats } from '@waybill/contract';
import { formatCount, formatCountOf } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useSession } from '../platform/session.ts';
import { formatChange } from './breakdown-columns.tsx';
import { cardNames, formatRate } from './figures.ts';
import { cardFigures } from './periods.ts';
import type { CardFigure } from './periods.ts';
import { performanceQuery, statsQuery } from './queries.ts';
import { Sparkline } from './Sparkline.tsx';
import { weekOf } from './week.ts';

/** The comparison shown under a figure. */
const hints: Record<CardFigure, (stats: Stats) => string> = {
  activePackages: ({ activePackages, inTransitPackages, pendingDeliveries }) => {
    const cancelled = activePackages - inTransitPackages - pendingDeliveries;
    return cancelled > 0
      ? `${formatCount(activePackages - cancelled)} open, ${formatCount(cancelled)}\u00a0cancelled`
      : `${formatCount(inTransitPackages)} on the road, ${formatCount(pendingDeliveries)} waiting`;
  },
  activeDrivers: ({ totalDrivers }) => `of ${formatCountOf(totalDrivers, 'driver')}`,
  totalUsers: ({ packageOwners, totalDrivers }) =>
    `${formatCountOf(packageOwners, 'owner')}, ${formatCountOf(totalDrivers, 'driver')}`,
  openIssues: ({ resolvedIssues }) => `${formatCount(resolvedIssues)} resolved`,
};

/** What is counted per day, where there is such a count: drawn as a line, and compared with the week before. */
const perDay: Partial<Record<CardFigure, { count: Parameters<typeof weekOf>[1]; verb: string }>> = {
  activePackages: { count: 'created', verb: 'registered' },
  activeDrivers: { count: 'started', verb: 'started' },
  openIssues: { count: 'issuesOpened', verb: 'opened' },
};

interface AdminCardsProps {
  chosen: CardFigure | undefined;
  onChoose: (figure: CardFigure | undefined) => void;
}

/** Current figures as one strip; pressing one lists its rows, if the reader has the permission. */
export function AdminCards({ chosen, onChoose }: AdminCardsProps) {
  const { data, isError } = useQuery(statsQuery());
  // Thirty days: the last week and the one before it.
  const { data: month } = useQuery(performanceQuery('30'));
  const { permissions } = useSession();
  return (
    <div className="grid grid-cols-2 overflow-hidden rounded-card border border-line bg-surface lg:grid-cols-[repeat(4,minmax(0,1fr))_minmax(0,1.2fr)] [&>*]:border-line [&>*]:-mr-px [&>*]:-mb-px [&>*]:border-r [&>*]:border-b">
      {cardFigures.map((figure) => (
        <Segment
          key={figure}
          label={cardNames[figure]}
          value={data?.[figure] ?? (isError ? null : undefined)}
          // Reserve the lines: avoids a layout shift when the data arrives.
          hint={data ? hints[figure](data) : '\u00a0'}
          isPerDay={perDay[figure] !== undefined}
          isAlert={figure === 'openIssues' && (data?.openIssues ?? 0) > 0}
          week={month && perDay[figure] && { ...weekOf(month.days, perDay[figure].count), verb: perDay[figure].verb }}
          pressed={chosen === figure}
          {...(permissions.includes(permissionForRows(figure)) && {
            onPress: () => onChoose(chosen === figure ? undefined : figure),
          })}
        />
      ))}
      <DeliveredToday stats={data} today={month?.days.at(-1)} zone={month?.zone} />
    </div>
  );
}

interface SegmentProps {
  label: string;
  /** undefined: still loading. null: failed to load, shown as a dash. */
  value: number | null | undefined;
  hint: string;
  /** A line is kept for the comparison of its days. */
  isPerDay: boolean;
  isAlert: boolean;
  week: (ReturnType<typeof weekOf> & { verb: string }) | undefined;
  pressed: boolean;
  onPress?: () => void;
}

const box = 'flex min-h-[5.75rem] min-w-0 flex-col px-4 py-2.5 text-left';

function Segment({ label, value, hint, isPerDay, isAlert, week, pressed, onPress }: SegmentProps) {
  const content = (
    <>
      <span className="flex w-full items-start justify-between gap-2">
        <span className="min-w-0">
          <span className="block text-table font-medium text-ink-2">{label}</span>
          <span
            className={classes('figures block h-8 text-title font-semibold', isAlert ? 'text-red-ink' : 'text-ink')}
          >
            {value === undefined ? <Skeleton width="w-14" height="h-7" /> : value === null ? '–' : formatCount(value)}
          </span>
        </span>
        <span className="hidden pt-1 sm:block">{week && <Sparkline counts={week.counts} isAlert={isAlert} />}</span>
      </span>
      <span className="block text-meta text-ink-3">{hint}</span>
      {week ? <Change {...week} /> : isPerDay && <span className="block text-meta">{'\u00a0'}</span>}
    </>
  );
  if (!onPress) return <div className={box}>{content}</div>;
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={classes(
        box,
        'transition-colors focus-visible:-outline-offset-2',
        pressed ? 'border-line! bg-brand-soft shadow-[inset_0_-2px_0_var(--color-brand)]' : 'hover:bg-sunken',
      )}
    >
      {content}
    </button>
  );
}

/** '24 registered in 7 days, +6'. After nothing, the change is the number itself. */
function Change({ sum, before, verb }: { sum: number; before: number; verb: string }) {
  return (
    <span
      className="figures block text-meta text-balance text-ink-3"
      title={`${formatCount(before)} in the 7 days before`}
    >
      {formatCount(sum)} {verb} in 7&nbsp;days{before > 0 && `, ${formatChange(sum - before) ?? 'as before'}`}
    </span>
  );
}

interface DeliveredTodayProps {
  stats: Stats | undefined;
  today: PerformanceDay | undefined;
  zone: Performance['zone'] | undefined;
}

/** How far the day has come; a link to the deliveries. */
function DeliveredToday({ stats, today, zone }: DeliveredTodayProps) {
  const open = stats?.inTransitPackages ?? 0;
  const all = today && today.completed + open;
  const share = (count: number): string => `${all === undefined || all === 0 ? 0 : (100 * count) / all}%`;
  return (
    <a
      href="/admin/reports?days=7"
      title={zone && `Today in ${zone}`}
      className={classes(
        box,
        'max-lg:col-span-2 text-ink no-underline transition-colors hover:bg-sunken focus-visible:-outline-offset-2',
      )}
    >
      <span className="block text-table font-medium text-ink-2">Delivered today</span>
      <span className="figures flex h-8 items-baseline gap-1.5 text-title font-semibold">
        {today ? formatCount(today.completed) : <Skeleton width="w-14" height="h-7" />}
        {all !== undefined && stats && (
          <span className="text-ui font-normal tracking-normal text-ink-3">
            and {formatCount(open)} still on the road
          </span>
        )}
      </span>
      <span aria-hidden="true" className="mt-1 flex h-1.5 w-full overflow-hidden rounded-full bg-bone">
        {today && (
          <>
            <span className="bg-green-dot" style={{ width: share(today.onTime) }} />
            <span className="hatched" style={{ width: share(today.late) }} />
          </>
        )}
      </span>
      <span className="figures mt-1.5 block text-meta text-ink-3">
        {today
          ? `${today.onTimeRate === null ? 'None on time yet' : `${formatRate(today.onTimeRate)} on time`}, ${formatCount(today.failed)} failed`
          : '\u00a0'}
      </span>
    </a>
  );
}
