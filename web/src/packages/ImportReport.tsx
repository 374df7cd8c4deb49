import type { Import } from '@waybill/contract';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Banner } from '../ui/Banner.tsx';
import { Card } from '../ui/Card.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import type { FixedRows } from './FixRowsCard.tsx';
import { SkippedRows } from './SkippedRows.tsx';

const count = (packages: number) => `${packages} ${packages === 1 ? 'package' : 'packages'}`;

const rows = (number: number) => `${number} ${number === 1 ? 'row was' : 'rows were'} left out`;

interface ImportReportProps {
  report: Import;
  /** Whether the faulty rows can be fixed in a card below. */
  fixableBelow: boolean;
  /** Result of the fixes so far. */
  fixed: FixedRows | null;
  /** What can be done with the created packages. */
  actions?: ReactNode;
}

/** Result of an import: packages created, and each row that was left out with its line and reasons. */
export function ImportReport({ report, fixableBelow, fixed, actions }: ImportReportProps) {
  const { skipped, errors, skippedRows, ignoredColumns } = report;
  const there = skippedRows.filter((row) => !row.unshipped);
  const unshipped = skippedRows.filter((row) => row.unshipped);
  const created = report.created + (fixed?.created ?? 0);
  const failed = fixed ? fixed.left : report.failed;
  return (
    <div className="flex flex-col gap-4" role="status">
      <Banner
        tone={failed === 0 ? 'green' : 'yellow'}
        icon={failed === 0 ? <CircleCheck /> : <TriangleAlert />}
        title={`${count(created)} created`}
      >
        {failed === 0
          ? skipped === 0 && 'Every row of the file has become a package.'
          : `${rows(failed)}. Correct them ${fixableBelow ? 'below' : 'in the file and import it again'}: no package is created twice.`}
        {there.length > 0 && <p>{rows(there.length)}, because their packages are there already.</p>}
        {unshipped.length > 0 && <p>{rows(unshipped.length)}, because there is nothing to ship.</p>}
        {ignoredColumns.length > 0 && (
          <p className="wrap-anywhere">These columns were left out: {ignoredColumns.join(', ')}.</p>
        )}
      </Banner>
      {actions}
      {unshipped.length > 0 && (
        <Card title="Orders with nothing to ship" flush>
          <SkippedRows rows={unshipped} />
        </Card>
      )}
      {there.length > 0 && (
        <Card title="Rows that are there already" flush>
          <SkippedRows rows={there} />
        </Card>
      )}
      {errors.length > 0 && !fixableBelow && (
        <Card title="Rows that were left out" flush>
          <ul className="divide-y divide-line border-t border-line">
            {errors.map(({ line, reason, fields }) => {
              const reasons = Object.entries(fields);
              return (
                <li key={line} className="flex gap-4 px-5 py-3 text-ui">
                  <span className="figures w-20 shrink-0 text-ink-3">Line {line}</span>
                  <ul className="min-w-0 wrap-anywhere">
                    {reasons.length === 0 ? (
                      <li>{reason}</li>
                    ) : (
                      reasons.map(([field, message]) => (
                        <li key={field}>
                          <span className="code text-table text-ink-3">{field}</span> {message}
                        </li>
                      ))
                    )}
                  </ul>
                </li>
              );
            })}
          </ul>
        </Card>
      )}
      <LinkButton variant="secondary" href="/owner/dashboard">
        Back to Dashboard
      </LinkButton>
    </div>
  );
}
