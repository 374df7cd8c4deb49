import type { ImportPreview } from '@waybill/contract';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { SkippedRows } from './SkippedRows.tsx';

const formats: Record<ImportPreview['format'], string> = {
  waybill: 'Recognised as our template.',
  shopify: 'Recognised as orders from Shopify.',
  woocommerce: 'Recognised as orders from WooCommerce.',
  mapped: 'Its columns are read as you chose.',
  other: 'Its columns are not recognised: choose what each stands for.',
};

const orders = (count: number) => (count === 1 ? 'One order is' : `${formatCount(count)} orders are`);
const packages = (count: number) => `${formatCount(count)} ${count === 1 ? 'package' : 'packages'}`;

/** Dry run of an import: what it would create, skip and refuse. */
export function ImportPreviewCard({
  preview,
  onImport,
  onColumns,
  busy,
  everyOrder,
  onEveryOrder,
}: {
  preview: ImportPreview;
  onImport: () => void;
  /** Opens the column mapping; null while it is open. */
  onColumns: (() => void) | null;
  busy: boolean;
  /** Whether orders with nothing to ship are imported too. */
  everyOrder: boolean;
  onEveryOrder: (everyOrder: boolean) => void;
}) {
  const { created, skipped, failed, ignoredColumns, missing } = preview;
  const unshipped = preview.skippedRows.filter((row) => row.unshipped);
  return (
    <Card title="Preview" description={formats[preview.format]}>
      <div className="flex flex-col gap-5">
        {missing.length === 0 && (
          <div role="status" aria-label="What an import would make">
            <dl
              className={classes(
                'grid gap-3 sm:auto-cols-fr sm:grid-flow-col',
                unshipped.length > 0 ? 'grid-cols-2 sm:grid-cols-none' : 'grid-cols-3 sm:grid-cols-none',
              )}
            >
              {(
                [
                  ['New', created],
                  ['Already there', skipped - unshipped.length],
                  ...(unshipped.length > 0 ? ([['Nothing to ship', unshipped.length]] as const) : []),
                  ['With errors', failed],
                ] as const
              ).map(([name, count]) => (
                <div key={name}>
                  <dt className="text-table text-ink-3">{name}</dt>
                  <dd
                    className={classes(
                      'figures text-body font-semibold',
                      name === 'With errors' && count > 0 ? 'text-danger' : 'text-ink',
                    )}
                  >
                    {formatCount(count)}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        )}
        {(unshipped.length > 0 || everyOrder) && (
          <div>
            {unshipped.length > 0 && (
              <LeftOut
                what={`${orders(unshipped.length)} left out: cancelled, refunded, fulfilled, not paid, or without anything that needs shipping`}
              >
                <SkippedRows rows={unshipped} />
              </LeftOut>
            )}
            <Checkbox
              label="Import these orders all the same"
              checked={everyOrder}
              disabled={busy}
              onChange={(event) => onEveryOrder(event.target.checked)}
            />
          </div>
        )}
        {ignoredColumns.length > 0 && onColumns && (
          <LeftOut
            what={`${ignoredColumns.length === 1 ? 'One column is' : `${ignoredColumns.length} columns are`} left out`}
          >
            <p className="wrap-anywhere">{ignoredColumns.join(', ')}</p>
          </LeftOut>
        )}
        <div className="flex flex-wrap justify-end gap-3 empty:hidden max-sm:*:grow">
          {onColumns && (
            <Button variant="secondary" size="lg" onClick={onColumns}>
              Choose Columns
            </Button>
          )}
          {missing.length === 0 && (
            <Button size="lg" disabled={created === 0 || busy} onClick={onImport}>
              {created === 0 ? 'Nothing New to Import' : `Import ${packages(created)}`}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

/** A line that opens what was left out. */
const LeftOut = ({ what, children }: { what: string; children: ReactNode }) => (
  <details className="group text-table text-ink-2">
    <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden="true"
        className="size-4 shrink-0 text-ink-3 transition-transform group-open:rotate-90"
      />
      {what}
    </summary>
    {children}
  </details>
);
