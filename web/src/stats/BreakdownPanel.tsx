import { useQuery } from '@tanstack/react-query';
import { breakdownDimensions, permissionForBreakdown } from '@waybill/contract';
import type { BreakdownDimension } from '@waybill/contract';
import { ChartNoAxesColumn, Download } from 'lucide-react';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { formatCount } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Select } from '../ui/Select.tsx';
import { breakdownColumns, dimensionNames, english, nameOfGroup, sortBreakdown } from './breakdown-columns.tsx';
import { BreakdownTotals } from './BreakdownTotals.tsx';
import { breakdownQuery } from './queries.ts';
import { breakdownSorts } from './search.ts';
import type { BreakdownSort } from './search.ts';

interface BreakdownPanelProps {
  by: BreakdownDimension;
  /** Both days are inclusive; undefined while they are not known. */
  period: { from: string; to: string } | undefined;
  sort: BreakdownSort | undefined;
  onBy: (by: BreakdownDimension) => void;
  onSort: (sort: BreakdownSort | undefined) => void;
  /** The group whose packages are listed. */
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

/** The figures of attempts by month, driver, owner, town, depot or route, against the period before. */
export function BreakdownPanel({ by, period, sort, onBy, onSort, chosen, onChoose }: BreakdownPanelProps) {
  const session = useSession();
  const query = useQuery({ ...breakdownQuery(by, period), enabled: period !== undefined });
  const save = useSingleMutation({
    mutationFn: async (range: { from: string; to: string }) =>
      saveResponse(await api.stats.exportBreakdown({ query: { by, ...range } }), `figures-by-${by}.csv`),
  });
  const offered = breakdownDimensions.filter((one) => {
    const permission = permissionForBreakdown(one);
    return permission === null || session.permissions.includes(permission);
  });
  return (
    <Panel
      title={`Figures by ${dimensionNames[by]}`}
      query={query}
      loadingHeight="h-80"
      flush
      actions={
        <div className="flex gap-2 max-sm:has-[>button:enabled]:-ml-4 md:pointer-fine:[&_:is(button,select)]:min-h-9 md:pointer-fine:[&_select]:text-ui print:hidden">
          <Button
            variant="ghost"
            icon={<Download aria-hidden="true" className="size-4" />}
            loading={save.isPending}
            disabled={!query.data || query.data.rows.length === 0}
            onClick={() => period && save.mutate(period)}
          >
            CSV
          </Button>
          <Select
            aria-label="Figures by"
            options={offered.map((value) => ({ value, label: dimensionNames[value] }))}
            value={by}
            onValueChange={onBy}
          />
        </div>
      }
    >
      {(breakdown) => (
        <div className={classes('@container transition-opacity', query.isPlaceholderData && 'opacity-60')}>
          <BreakdownTotals {...breakdown} />
          {breakdown.rows.length === 0 ? (
            <div className="border-t border-line">
              <EmptyState
                icon={<ChartNoAxesColumn />}
                title="No data yet"
                description="No delivery ended in this period."
              />
            </div>
          ) : (
            <div className="border-t border-line">
              <DataTable
                label={`Figures by ${dimensionNames[by]}`}
                columns={breakdownColumns(
                  by,
                  breakdown.rows,
                  english,
                  breakdown.totals.cost === null ? null : breakdown.currency,
                )}
                groups={ungrouped(sortBreakdown(breakdown.rows, by, sort))}
                idOf={({ key }) => key}
                nameOf={(row) => nameOfGroup(by, row)}
                sort={sort}
                onSort={(next) => onSort(breakdownSorts.find((one) => one === next))}
                openId={chosen}
                onOpen={onChoose}
                hasKeys={false}
              />
              {breakdown.more > 0 && (
                <p className="border-t border-line px-5 py-3 text-ui text-ink-2">
                  {formatCount(breakdown.more)} more: the CSV file has all of them.
                </p>
              )}
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}
