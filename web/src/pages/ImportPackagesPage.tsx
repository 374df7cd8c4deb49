import { useQuery } from '@tanstack/react-query';
import { ApiError, maxImportRows } from '@waybill/contract';
import { Download, FileUp } from 'lucide-react';
import { useState } from 'react';
import { PrintImportedLabels } from '../labels/PrintImportedLabels.tsx';
import { ImportColumnsCard } from '../packages/ImportColumnsCard.tsx';
import { saveMapping } from '../packages/import-mappings.ts';
import { ImportPreviewCard } from '../packages/ImportPreviewCard.tsx';
import { lastImportQuery, useImportPackages, useLiveImports, usePreviewImport } from '../packages/import-queries.ts';
import type { PreviewedImport } from '../packages/import-queries.ts';
import { ImportReport } from '../packages/ImportReport.tsx';
import { FixRowsCard } from '../packages/FixRowsCard.tsx';
import type { FixedRows } from '../packages/FixRowsCard.tsx';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { formatCount } from '../platform/formats.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';

const requestOf = ({ file, mapping, everyOrder }: PreviewedImport) => ({ file, mapping, everyOrder });

/** Imports packages from a CSV file: preview, progress, final report, and correction of invalid rows. */
export function ImportPackagesPage() {
  useLiveImports();
  const send = useImportPackages();
  const requestPreview = usePreviewImport();
  const [previewed, setPreviewed] = useState<PreviewedImport | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [opened, setOpened] = useState(0);
  const [fixed, setFixed] = useState<FixedRows | null>(null);
  const preview = previewed?.preview ?? null;
  const file = requestPreview.isPending ? requestPreview.variables.file : previewed?.file;
  const show = (found: PreviewedImport) => {
    setPreviewed(found);
    setFixed(null);
    setOpened(opened + 1);
    setChoosing(found.preview.format === 'other' || found.preview.missing.length > 0);
  };
  const choose = (file: File) => {
    send.reset();
    setPreviewed(null);
    requestPreview.mutate({ file, mapping: null, everyOrder: false }, { onSuccess: show });
  };
  const { data: last } = useQuery(lastImportQuery());
  const template = useSingleMutation({
    mutationFn: async () => saveResponse(await api.packages.importTemplate(), 'packages-template.csv'),
  });
  const running = last?.status === 'running' ? last : null;
  const busy = send.isPending || running !== null;
  const failure = requestPreview.error ?? send.error;

  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto flex lg:max-w-[46rem] flex-col gap-4 md:gap-6">
        <PageTitle
          title="Import Packages"
          subtitle={`Create up to ${formatCount(maxImportRows)} packages from one CSV file`}
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
          description="Orders from Shopify and WooCommerce, our template, or any file whose first row names its columns."
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
                  ? `${running.done} of ${running.total} rows: ${running.created} created, ${running.skipped + running.failed} left out`
                  : 'Sending the file…'}
              </p>
              <p className="text-table text-ink-3">You may leave this page; the import goes on.</p>
            </div>
          ) : (
            <label className="relative flex min-h-32 flex-col items-center justify-center gap-2 rounded-card border border-dashed border-control px-4 text-center text-ui text-ink-2 transition-colors hover:border-ink-3 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
              <FileUp aria-hidden="true" strokeWidth={1.5} className="size-8" />
              {file && <span className="font-medium text-ink wrap-anywhere">{file.name}</span>}
              {requestPreview.isPending ? (
                'Reading the file…'
              ) : (
                <span>
                  {file ? 'Choose another CSV file' : 'Choose a CSV file'}
                  <span className="pointer-coarse:hidden">, or drop it here</span>
                </span>
              )}
              <input
                type="file"
                accept=".csv,text/csv"
                className="absolute inset-0 cursor-pointer opacity-0"
                onChange={(event) => {
                  const [file] = event.target.files ?? [];
                  if (file) choose(file);
                  event.target.value = '';
                }}
              />
            </label>
          )}
        </Card>
        {failure && !busy && !requestPreview.isPending && (
          <Card>
            <ErrorState
              title="The file could not be imported"
              message={failure.message}
              requestId={failure instanceof ApiError ? failure.requestId : null}
            />
          </Card>
        )}
        {previewed && preview && !busy && !send.data && (
          <>
            {/* Nothing can be said of a file whose columns are still to be chosen. */}
            {!(choosing && preview.missing.length > 0) && (
              <ImportPreviewCard
                preview={preview}
                onImport={() => send.mutate(previewed)}
                onColumns={choosing ? null : () => setChoosing(true)}
                busy={requestPreview.isPending}
                everyOrder={(requestPreview.isPending ? requestPreview.variables : previewed).everyOrder}
                onEveryOrder={(everyOrder) =>
                  requestPreview.mutate({ ...requestOf(previewed), everyOrder }, { onSuccess: show })
                }
              />
            )}
            {choosing && (
              <ImportColumnsCard
                preview={preview}
                busy={requestPreview.isPending}
                onChosen={(mapping) => {
                  saveMapping(preview.columns, mapping);
                  requestPreview.mutate({ ...requestOf(previewed), mapping }, { onSuccess: show });
                }}
              />
            )}
          </>
        )}
        {send.data && !busy && (
          <ImportReport
            report={send.data}
            fixableBelow={preview !== null}
            fixed={fixed}
            actions={<PrintImportedLabels report={send.data} created={send.data.created + (fixed?.created ?? 0)} />}
          />
        )}
        {/* Stays mounted while an import runs, or its input would be lost. */}
        {preview && preview.errors.length > 0 && !choosing && (
          <FixRowsCard
            key={opened}
            rows={preview.errors}
            isMain={preview.created === 0 || send.data !== undefined}
            onFixed={setFixed}
          />
        )}
      </div>
    </div>
  );
}
