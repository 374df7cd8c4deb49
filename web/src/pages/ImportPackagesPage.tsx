import { useQuery } from '@tanstack/react-query';
import { ApiError, mostImportRows } from '@waybill/contract';
import { Download, FileUp } from 'lucide-react';
import { ImportReport } from '../packages/ImportReport.tsx';
import { lastImportQuery, useImportPackages, useLiveImports } from '../packages/import-queries.ts';
import { api } from '../platform/api.ts';
import { saveAnswer } from '../platform/download.ts';
import { formatCount } from '../platform/formats.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';

/** Many packages from one file, with progress while it runs and a report at its end. */
export function ImportPackagesPage() {
  usePageTitle('Import Packages');
  useLiveImports();
  const send = useImportPackages();
  const { data: last } = useQuery(lastImportQuery());
  const template = useSingleMutation({
    mutationFn: async () => saveAnswer(await api.packages.importTemplate(), 'packages-template.csv'),
  });
  const running = last?.status === 'running' ? last : null;
  const busy = send.isPending || running !== null;

  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto flex max-w-[46rem] flex-col gap-4 md:gap-6">
        <PageTitle
          title="Import Packages"
          subtitle={`Create up to ${formatCount(mostImportRows)} packages from one CSV file`}
          actions={
            <Button
              variant="secondary"
              icon={<Download aria-hidden="true" className="size-4" />}
              loading={template.isPending}
              onClick={() => template.mutate()}
            >
              Download template
            </Button>
          }
        />
        <Card
          title="File"
          description="The first row names the columns, as in the template. Good rows are created, bad ones reported."
        >
          {busy ? (
            <div className="flex flex-col gap-3 py-6">
              <ProgressBar
                label="Import"
                value={running ? Math.round((running.done / Math.max(running.total, 1)) * 100) : 0}
                valueText={running ? `${running.done} of ${running.total} rows` : 'Sending the file'}
              />
              <p className="figures text-ui text-ink-2">
                {running
                  ? `${running.done} of ${running.total} rows: ${running.created} created, ${running.failed} left out`
                  : 'Sending the file…'}
              </p>
              <p className="text-table text-ink-3">You may leave this page; the import goes on.</p>
            </div>
          ) : (
            <label className="relative flex min-h-32 flex-col items-center justify-center gap-2 rounded-card border border-dashed border-control px-4 text-center text-ui text-ink-2 transition-colors hover:border-ink-3 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
              <FileUp aria-hidden="true" strokeWidth={1.5} className="size-8" />
              Choose a CSV file, or drop it here
              <input
                type="file"
                accept=".csv,text/csv"
                className="absolute inset-0 cursor-pointer opacity-0"
                onChange={(event) => {
                  const [file] = event.target.files ?? [];
                  if (file) send.mutate(file);
                  event.target.value = '';
                }}
              />
            </label>
          )}
        </Card>
        {send.error && !busy && (
          <Card>
            <ErrorState
              title="The file could not be imported"
              message={send.error.message}
              requestId={send.error instanceof ApiError ? send.error.requestId : null}
            />
          </Card>
        )}
        {send.data && !busy && <ImportReport report={send.data} />}
      </div>
    </div>
  );
}
