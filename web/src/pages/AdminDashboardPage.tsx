import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageSearch } from '../app/usePageSearch.ts';
import { LinkedIncident } from '../incidents/LinkedIncident.tsx';
import { recentIncidentsQuery, useLiveIncidents } from '../incidents/queries.ts';
import { RecentIncidents } from '../incidents/RecentIncidents.tsx';
import { replacesHistory } from '../platform/search-params.ts';
import { AdminFirstDay } from '../stats/AdminFirstDay.tsx';
import { AdminCards } from '../stats/AdminCards.tsx';
import { FigureRows } from './parts/LazyFigureRows.tsx';
import { cardNames } from '../stats/figures.ts';
import { JustHappened } from '../stats/JustHappened.tsx';
import { isDays } from '../stats/periods.ts';
import { MetricsPanel } from '../stats/MetricsPanel.tsx';
import { OnTheRoad } from '../stats/OnTheRoad.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PerformancePanel } from '../stats/PerformancePanel.tsx';
import { figureRowsQuery, performanceQuery, statsQuery, useLiveStats } from '../stats/queries.ts';
import type { DashboardSearch } from '../stats/search.ts';
import { TodayPanel } from '../stats/TodayPanel.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { NeedsYou } from './parts/NeedsYou.tsx';
import { useCan } from '../users/useCan.ts';
import { AdminQuickActions } from '../app/AdminQuickActions.tsx';

const incidentsShown = 3;

/** Each panel has its own loading and error state; the page shows one error only if all queries have failed. */
export function AdminDashboardPage() {
  useLiveStats();
  useLiveIncidents();
  const search = usePageSearch('adminDashboard');
  const navigate = useNavigate();
  const period = search.days ?? '7';
  const incidents = useQuery(recentIncidentsQuery(incidentsShown));
  const seesPackages = useCan({ permissions: ['packages.view_all'] });
  const onTheRoad = useInfiniteQuery({ ...figureRowsQuery('inTransitPackages'), enabled: seesPackages });
  const all = [
    useQuery(statsQuery()),
    useQuery(performanceQuery(period)),
    incidents,
    ...(seesPackages ? [onTheRoad] : []),
  ];
  const change = (next: DashboardSearch) =>
    void navigate({
      to: '/admin/dashboard',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });

  const failed = all.every(({ data, error }) => data === undefined && error !== null);
  if (failed) {
    return (
      <div className="page py-5 md:px-6">
        <PageTitle title="Admin Dashboard" />
        <Card>
          <ErrorState
            title="Error loading admin data"
            message={
              <>
                {all[0]?.error?.message}
                <br />
                This may be because your account has insufficient permissions.
              </>
            }
            retrying={all.some(({ isFetching }) => isFetching)}
            onRetry={() => all.forEach((query) => void query.refetch())}
          >
            <Button variant="ghost" onClick={() => location.reload()}>
              Refresh Page
            </Button>
          </ErrorState>
        </Card>
      </div>
    );
  }
  return (
    <div className="page py-5 md:px-6">
      {search.incident !== undefined && (
        <LinkedIncident key={search.incident} id={search.incident} onClosed={() => change({ incident: undefined })} />
      )}
      <PageTitle title="Admin Dashboard" subtitle="What is on its way, and how well it is going" />
      <AdminFirstDay />
      <div className="flex flex-col gap-4">
        <AdminCards chosen={search.figure} onChoose={(figure) => change({ figure })} />
        {search.figure && (
          <FigureRows
            figure={search.figure}
            title={cardNames[search.figure]}
            pages={search.pages}
            onPages={(pages) => change({ pages })}
            onClose={() => change({ figure: undefined })}
          />
        )}
        {/* What needs a decision, who is on the road, what was reported: first, since this page is kept open for them.
            The heads of lists are equally high, with or without a button. */}
        <div className="grid md:[&_section>.pb-4:first-child]:min-h-19 grid-cols-[minmax(0,1fr)] items-start gap-4 md:max-lg:grid-cols-2 md:max-lg:items-stretch lg:grid-cols-[18rem_minmax(0,1fr)] frame:grid-cols-[18rem_minmax(0,1fr)_18rem]">
          <div className="flex flex-col gap-4 max-lg:contents md:max-lg:*:col-span-2">
            <NeedsYou />
            <div className="max-lg:order-last md:max-lg:col-span-1! md:max-lg:*:h-full">
              <TodayPanel />
            </div>
          </div>
          <div className="flex flex-col gap-4 max-lg:contents md:max-lg:*:col-span-2">
            {seesPackages && <OnTheRoad />}
            <PerformancePanel
              isSmall
              period={period}
              onPeriod={(next) => isDays(next) && change({ days: next === '7' ? undefined : next })}
            />
            <div className="max-lg:order-last md:max-lg:col-span-1! md:max-lg:*:h-full">
              <MetricsPanel />
            </div>
          </div>
          <div className="flex flex-col gap-4 md:max-frame:col-span-2 md:max-frame:grid md:max-frame:grid-cols-2">
            {seesPackages && <JustHappened />}
            <Panel title="Recent Incidents" query={incidents} loadingHeight="h-40" flush>
              {(shown) => <RecentIncidents incidents={shown} />}
            </Panel>
          </div>
        </div>
        <AdminQuickActions />
      </div>
    </div>
  );
}
