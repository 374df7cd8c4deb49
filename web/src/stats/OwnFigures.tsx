import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn } from 'lucide-react';
import { useToday } from '../platform/clock.ts';
import { localDay } from '../platform/formats.ts';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Panel } from '../ui/Panel.tsx';
import { accountTexts } from '../users/account-texts.ts';
import { breakdownColumns, nameOfGroup } from './breakdown-columns.tsx';
import { BreakdownTotals } from './BreakdownTotals.tsx';
import { ownFiguresQuery } from './queries.ts';

/** A year of the user's own figures, by month: of a driver's attempts, or of the attempts of an owner's packages. */
export function OwnFigures() {
  const { figures: words } = accountTexts();
  const today = useToday();
  const first = new Date(today.getFullYear(), today.getMonth() - 11, 1);
  const query = useQuery(ownFiguresQuery({ from: localDay(first), to: localDay(today) }));
  return (
    <Panel title={words.title} query={query} loadingHeight="h-72" flush>
      {(breakdown) =>
        breakdown.rows.length === 0 ? (
          <EmptyState icon={<ChartNoAxesColumn />} title={words.none} description={words.noneText} />
        ) : (
          <div className="@container">
            <BreakdownTotals {...breakdown} words={words} />
            <div className="border-t border-line max-md:[&_tr]:px-5">
              <DataTable
                label={words.label}
                columns={breakdownColumns('month', breakdown.rows, words)}
                groups={ungrouped(breakdown.rows)}
                idOf={({ key }) => key}
                nameOf={(row) => nameOfGroup('month', row)}
                hasKeys={false}
              />
            </div>
          </div>
        )
      }
    </Panel>
  );
}
