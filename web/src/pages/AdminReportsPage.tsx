import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Download, MousePointerClick } from 'lucide-react';
import { api } from '../platform/api.ts';
import { saveAnswer } from '../platform/download.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { staysInPlace } from '../platform/search-params.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { FigureRows } from '../stats/FigureRows.tsx';
import { Panel } from '../stats/Panel.tsx';
import { PerformancePanel } from '../stats/PerformancePanel.tsx';
import { linesOf, PeriodFigures } from '../stats/PeriodFigures.tsx';
import { performanceQuery, useLiveStats } from '../stats/queries.ts';
import type { ReportSearch } from '../stats/search.ts';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { PermissionButton } from '../users/PermissionButton.tsx';

const route = getRouteApi('/analysts/admin/reports');

export function AdminReportsPage() {
  usePageTitle('Reports');
  useLiveStats();
  const search = route.useSearch();
  const navigate = useNavigate();
  const period = search.days ?? '30';
  const performance = useQuery(performanceQuery(period));
  const change = (next: ReportSearch) =>
    void navigate({
      to: '/admin/reports',
      search: { ...search, pages: undefined, ...next },
      replace: staysInPlace(next),
      resetScroll: false,
    });
  const exportPackages = useSingleMutation({
    mutationFn: async () => saveAnswer(await api.packages.exportAll({ query: {} }), 'packages.csv'),
  });
  const exportUsers = useSingleMutation({
    mutationFn: async () => saveAnswer(await api.users.exportAll({ query: {} }), 'users.csv'),
  });
  const days = performance.data?.days ?? [];
  const line = performance.data && linesOf(performance.data.totals).find(({ name }) => name === search.figure);

  return (
    <div className="page py-6 md:py-8">
      <PageTitle
        title="Reports"
        subtitle="Every figure of a period, and the rows behind it"
        actions={
          <>
            <PermissionButton
              permissions={['packages.view_all']}
              variant="secondary"
              icon={<Download aria-hidden="true" className="size-4" />}
              loading={exportPackages.isPending}
              onClick={() => exportPackages.mutate()}
            >
              Packages as CSV
            </PermissionButton>
            <PermissionButton
              permissions={['admin.manage_users']}
              variant="secondary"
              icon={<Download aria-hidden="true" className="size-4" />}
              loading={exportUsers.isPending}
              onClick={() => exportUsers.mutate()}
            >
              Users as CSV
            </PermissionButton>
          </>
        }
      />
      <div className="flex flex-col gap-4 md:gap-6">
        <PerformancePanel period={period} onPeriod={(next) => change({ days: next === '30' ? undefined : next })} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <Panel title={`Figures of ${period} days`} query={performance} loadingHeight="h-96" flush>
            {({ totals }) => (
              <PeriodFigures totals={totals} chosen={search.figure} onChoose={(figure) => change({ figure })} />
            )}
          </Panel>
          {line ? (
            <FigureRows
              figure={line.figure}
              title={line.name}
              period={{ from: days[0]?.day, to: days.at(-1)?.day }}
              pages={search.pages}
              onPages={(pages) => change({ pages })}
              onClose={() => change({ figure: undefined })}
            />
          ) : (
            <Card>
              <EmptyState icon={<MousePointerClick />} title="Choose a figure to see the rows behind it" />
            </Card>
          )}
        </div>
      </div>
    </div>
  );
}
