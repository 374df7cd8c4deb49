import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PeriodFigure, PresentFigure } from '@waybill/contract';
import { useRef } from 'react';
import { useOpenRow } from '../app/useOpenRow.ts';
import { usePageSearch } from '../app/usePageSearch.ts';
import { useLivePackages } from '../packages/queries.ts';
import { useToday } from '../platform/clock.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { nameOfPeriod, recentMonths } from '../stats/figures.ts';
import { isMonth } from '../stats/periods.ts';
import type { Period } from '../stats/periods.ts';
import { FigureRows } from './parts/LazyFigureRows.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PerformancePanel } from '../stats/PerformancePanel.tsx';
import { figureLines, PeriodFigures } from '../stats/PeriodFigures.tsx';
import { figureRowsQuery, performanceQuery, useLiveStats } from '../stats/queries.ts';
import type { ReportSearch } from '../stats/search.ts';
import { neighboursOf } from '../ui/neighbours.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { AdminPage } from '../app/AdminPage.tsx';
import { ReportExports } from '../stats/ReportExports.tsx';
import { PackagePanel } from './parts/LazyPackagePanel.tsx';

/** The figure whose rows are shown by default. */
const defaultFigure = 'Deliveries completed';

export function AdminReportsPage() {
  useLiveStats();
  useLivePackages();
  const search = usePageSearch('adminReports');
  const navigate = useNavigate();
  const period: Period = search.month ?? search.days ?? '30';
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
  const line = lines.find(({ name }) => name === search.figure) ?? lines.find(({ name }) => name === defaultFigure);
  const choose = (figure: string) => {
    change({ figure: figure === defaultFigure ? undefined : figure });
    // In the one-column layout the rows are below the figures, out of view.
    if (matchMedia('(width < 64rem)').matches) rows.current?.scrollIntoView();
  };

  return (
    <AdminPage
      panel={
        search.open !== undefined &&
        line && (
          <OpenPackage
            id={search.open}
            figure={line.figure}
            period={shownPeriod}
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
          onPeriod={(next) =>
            change(
              isMonth(next)
                ? { month: next, days: undefined }
                : { month: undefined, days: next === '30' ? undefined : next },
            )
          }
        />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:gap-6 @min-[56rem]:grid-cols-[22rem_minmax(0,1fr)]">
          <Panel title={`Figures of ${nameOfPeriod(period)}`} query={performance} loadingHeight="h-96" flush>
            {({ totals }) => <PeriodFigures totals={totals} chosen={line?.name} onChoose={choose} />}
          </Panel>
          <div ref={rows} className="scroll-mt-20">
            {line && (
              <FigureRows
                figure={line.figure}
                title={line.name}
                period={shownPeriod}
                pages={search.pages}
                onPages={(pages) => change({ pages })}
                openId={search.open}
                onOpen={row.open}
              />
            )}
          </div>
        </div>
      </div>
    </AdminPage>
  );
}

interface OpenPackageProps {
  id: string;
  figure: PresentFigure | PeriodFigure;
  period: { from: string | undefined; to: string | undefined };
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** A package beside the rows of its figure; one may have several rows. */
function OpenPackage({ id, figure, period, ...panel }: OpenPackageProps) {
  const { data } = useInfiniteQuery(figureRowsQuery(figure, period));
  const ids = data?.pages.flatMap((page) => page.items.flatMap(({ packageId }) => packageId ?? [])) ?? [];
  return <PackagePanel {...panel} id={id} neighbours={neighboursOf(id, [...new Set(ids)])} />;
}
