import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { attemptRowFigures, permissionForBreakdown } from '@waybill/contract';
import type { BreakdownDimension, PeriodFigure, PresentFigure } from '@waybill/contract';
import { useRef } from 'react';
import { useOpenRow } from '../app/useOpenRow.ts';
import { usePageSearch } from '../app/usePageSearch.ts';
import { useLivePackages } from '../packages/queries.ts';
import { useToday } from '../platform/clock.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { recentMonths, titleOfPeriod } from '../stats/figures.ts';
import { chosenDays, isDays, isMonth } from '../stats/periods.ts';
import type { Period } from '../stats/periods.ts';
import { ArrivalsPanel } from '../stats/ArrivalsPanel.tsx';
import { BreakdownPanel } from '../stats/BreakdownPanel.tsx';
import { nameOfGroup } from '../stats/breakdown-columns.tsx';
import { FigureRows } from './parts/LazyFigureRows.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PerformancePanel } from '../stats/PerformancePanel.tsx';
import { figureLines, PeriodFigures } from '../stats/PeriodFigures.tsx';
import { breakdownQuery, figureRowsQuery, performanceQuery, useLiveStats } from '../stats/queries.ts';
import type { RowsOf } from '../stats/queries.ts';
import type { ReportSearch } from '../stats/search.ts';
import { neighboursOf } from '../ui/neighbours.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { AdminPage } from '../app/AdminPage.tsx';
import { useCan } from '../users/useCan.ts';
import { ReportExports } from '../stats/ReportExports.tsx';
import { PackagePanel } from './parts/LazyPackagePanel.tsx';

/** The figure whose rows are shown by default. */
const defaultFigure = 'Deliveries completed';

export function AdminReportsPage() {
  useLiveStats();
  useLivePackages();
  const search = usePageSearch('adminReports');
  const navigate = useNavigate();
  const period = periodOfSearch(search);
  const today = useToday();
  const performance = useQuery(performanceQuery(period));
  const change = (next: ReportSearch) =>
    void navigate({
      to: '/admin/reports',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });
  const row = useOpenRow(
    (open, step) => void navigate({ to: '/admin/reports', search: { ...search, open }, resetScroll: false, ...step }),
  );
  const rows = useRef<HTMLDivElement>(null);
  const days = performance.data?.days ?? [];
  const shownPeriod = { from: days[0]?.day, to: days.at(-1)?.day };
  const lines = performance.data ? figureLines(performance.data.totals) : [];
  const lineOf = (wanted: string | undefined) => lines.find(({ name }) => name === wanted);
  const by = useOffered(search.by);
  const breakdownPeriod = periodOf(by, shownPeriod);
  const breakdown = useQuery({ ...breakdownQuery(by, breakdownPeriod), enabled: false }).data;
  const group = search.key === undefined ? undefined : breakdown?.rows.find(({ key }) => key === search.key);
  const line = group
    ? (lines.find(({ name, figure }) => name === search.figure && isOfAttempts(figure)) ?? {
        name: 'Finished attempts',
        figure: 'attempts' as const,
      })
    : (lineOf(search.figure) ?? lineOf(defaultFigure));
  const rowsOf: RowsOf = group && breakdownPeriod ? rowsOfGroup(by, group.key, breakdownPeriod) : shownPeriod;
  const title = line && (group ? `${line.name}: ${nameOfGroup(by, group)}` : line.name);
  const showRows = () => rows.current?.scrollIntoView();
  const choose = (figure: string) => {
    change({ figure: figure === defaultFigure ? undefined : figure });
    // In the one-column layout the rows are below the figures, out of view.
    if (matchMedia('(width < 64rem)').matches) showRows();
  };

  return (
    <AdminPage
      panel={
        search.open !== undefined &&
        line && (
          <OpenPackage
            id={search.open}
            figure={line.figure}
            period={rowsOf}
            onOpen={(id) => row.open(id, true)}
            onClose={row.close}
          />
        )
      }
    >
      <PageTitle
        title="Reports"
        subtitle="Every figure of a period, and the rows behind it"
        actions={<ReportExports days={performance.data?.days} />}
      />
      <div className="@container flex flex-col gap-4 md:gap-6">
        <PerformancePanel
          period={period}
          months={recentMonths(today)}
          onPeriod={(next) => change(searchOfPeriod(next))}
        />
        <BreakdownPanel
          by={by}
          period={breakdownPeriod}
          sort={search.sort}
          onBy={(next) => change({ by: next === 'month' ? undefined : next, sort: undefined, key: undefined })}
          onSort={(sort) => change({ sort })}
          chosen={group?.key}
          onChoose={(key) => {
            change({ key: key === group?.key ? undefined : key, open: undefined });
            showRows();
          }}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:gap-6 @min-[56rem]:grid-cols-[22rem_minmax(0,1fr)]">
          <Panel title={titleOfPeriod(period)} query={performance} loadingHeight="h-96" flush>
            {({ totals }) => <PeriodFigures totals={totals} chosen={line?.name} onChoose={choose} />}
          </Panel>
          <div ref={rows} className="scroll-mt-20">
            {line && (
              <FigureRows
                figure={line.figure}
                title={title ?? line.name}
                period={rowsOf}
                pages={search.pages}
                onPages={(pages) => change({ pages })}
                openId={search.open}
                onOpen={row.open}
                {...(group && { onClose: () => change({ key: undefined }) })}
              />
            )}
          </div>
        </div>
        <ArrivalsPanel />
      </div>
    </AdminPage>
  );
}

function periodOfSearch({ from, to, month, days }: ReportSearch): Period {
  const chosen: Period = `${from}..${to}`;
  return chosenDays(chosen) ? chosen : (month ?? days ?? '30');
}

const searchOfPeriod = (period: Period): ReportSearch => ({
  month: isMonth(period) ? period : undefined,
  days: isDays(period) && period !== '30' ? period : undefined,
  from: undefined,
  to: undefined,
  ...chosenDays(period),
});

const isOfAttempts = (figure: string) => (attemptRowFigures as readonly string[]).includes(figure);

/** What was chosen, unless it names people and the account may not see them; months by default. */
function useOffered(by: BreakdownDimension = 'month'): BreakdownDimension {
  const permission = permissionForBreakdown(by);
  return useCan(permission ? { permissions: [permission] } : {}) ? by : 'month';
}

/** The days of the breakdown. Months are those of a year, as a month alone compares with nothing. */
function periodOf(by: BreakdownDimension, { from, to }: { from: string | undefined; to: string | undefined }) {
  if (!from || !to) return undefined;
  if (by !== 'month') return { from, to };
  const first = new Date(Date.UTC(Number(to.slice(0, 4)), Number(to.slice(5, 7)) - 12, 1));
  return { from: first.toISOString().slice(0, 10), to };
}

/** A month is a period, whatever its day is. */
function rowsOfGroup(by: BreakdownDimension, key: string, period: { from: string; to: string }): RowsOf {
  if (by !== 'month') return { ...period, by, key };
  const last = new Date(Date.UTC(Number(key.slice(0, 4)), Number(key.slice(5, 7)), 0)).toISOString().slice(0, 10);
  return { from: `${key}-01`, to: last < period.to ? last : period.to, by };
}

interface OpenPackageProps {
  id: string;
  figure: PresentFigure | PeriodFigure;
  period: RowsOf;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** A package beside the rows of its figure; one may have several rows. */
function OpenPackage({ id, figure, period, ...panel }: OpenPackageProps) {
  const { data } = useInfiniteQuery(figureRowsQuery(figure, period));
  const ids = data?.pages.flatMap((page) => page.items.flatMap(({ packageId }) => packageId ?? [])) ?? [];
  return <PackagePanel {...panel} id={id} neighbours={neighboursOf(id, [...new Set(ids)])} />;
}
