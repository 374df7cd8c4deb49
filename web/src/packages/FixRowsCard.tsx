import { categories } from '@waybill/contract';
import type { ImportColumn } from '@waybill/contract';
import { useState } from 'react';
import { api } from '../platform/api.ts';
import { saveFile } from '../platform/download.ts';
import { formatCount } from '../platform/formats.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { useImportPackages } from './import-queries.ts';
import { columnLabels, fileOfRows, isColumn } from './import-rows.ts';
import type { FaultyRow } from './import-rows.ts';

const categoryOptions = categories.map((category) => ({ value: category, label: category }));
/** Rows rendered per step; 'Show more' adds as many. */
const rowsPerStep = 25;

const toCsvFile = (text: string) => new Blob([text], { type: 'text/csv' });

export interface FixedRows {
  /** Packages created from fixed rows so far. */
  created: number;
  /** Rows that still have errors. */
  left: number;
}

interface FixRowsCardProps {
  rows: FaultyRow[];
  /** Whether importing them is the verb of the page: nothing else of the file waits for it. */
  isMain: boolean;
  onFixed: (fixed: FixedRows) => void;
}

/** The rows with errors, each with its faulty cells: fix them here and import only them, or download them as CSV. */
export function FixRowsCard({ rows: initialRows, isMain, onFixed }: FixRowsCardProps) {
  const [rows, setRows] = useState(initialRows);
  const [shown, setShown] = useState(rowsPerStep);
  const [made, setMade] = useState(0);
  const send = useImportPackages();
  const check = useSingleMutation({
    mutationFn: (text: string) => api.packages.previewImport({ body: toCsvFile(text) }),
    meta: { showsError: true },
  });
  const change = (line: number, column: ImportColumn, value: string) =>
    setRows((all) =>
      all.map((row) => (row.line === line ? { ...row, cells: { ...row.cells, [column]: value } } : row)),
    );
  /** Attaches the server's errors to the rows that were sent, matched by line. */
  const withErrors = (
    errors: readonly { line: number; reason: string; fields: Record<string, string> }[],
    lines: number[],
  ) => {
    const byLine = new Map(errors.map((error) => [error.line, error]));
    return rows.map((row, index) => {
      const fault = byLine.get(lines[index] ?? 0);
      // Keep a field editable once it had an error, so that it can be changed again.
      const open = Object.fromEntries(Object.keys(row.fields).map((name) => [name, '']));
      return { ...row, reason: fault?.reason ?? '', fields: { ...open, ...fault?.fields } };
    });
  };
  const checkAgain = () => {
    const { text, lines } = fileOfRows(rows);
    check.mutate(text, { onSuccess: ({ errors }) => setRows(withErrors(errors, lines)) });
  };
  const importRows = () => {
    const { text, lines } = fileOfRows(rows);
    send.mutate(
      { file: toCsvFile(text), mapping: null, everyOrder: false },
      {
        onSuccess: ({ created, errors }) => {
          const left = withErrors(errors, lines).filter(({ reason }) => reason !== '');
          setMade(made + created);
          setRows(left);
          onFixed({ created: made + created, left: left.length });
        },
      },
    );
  };
  const error = send.error ?? check.error;
  return (
    <Card
      title="Rows with errors"
      description={
        rows.length > 0
          ? 'They cannot be imported as they are. Correct them here, or download them as a file.'
          : 'None are left.'
      }
      flush
    >
      {made > 0 && (
        <p role="status" className="px-5 pb-3 text-ui">
          {formatCount(made)} {made === 1 ? 'corrected row' : 'corrected rows'} imported
        </p>
      )}
      <ul className="divide-y divide-line border-t border-line">
        {rows.slice(0, shown).map((row) => (
          <FixRow key={row.line} row={row} onChange={change} />
        ))}
      </ul>
      <div className="flex flex-col gap-3 border-t border-line px-5 py-4">
        {error && <p className="text-ui text-danger wrap-anywhere">{error.message}</p>}
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          {rows.length > shown && (
            <Button variant="ghost" onClick={() => setShown(shown + rowsPerStep)}>
              Show {Math.min(rowsPerStep, rows.length - shown)} more of {formatCount(rows.length)}
            </Button>
          )}
          {rows.length > 0 && (
            <>
              <Button
                variant="secondary"
                onClick={() => saveFile(toCsvFile(`\ufeff${fileOfRows(rows, true).text}`), 'faulty-rows.csv')}
              >
                Download as CSV
              </Button>
              <Button variant="secondary" loading={check.isPending} onClick={checkAgain}>
                Check Again
              </Button>
              <Button variant={isMain ? 'primary' : 'secondary'} loading={send.isPending} onClick={importRows}>
                Import These Rows
              </Button>
            </>
          )}
        </div>
      </div>
    </Card>
  );
}

function FixRow({
  row: { line, cells, fields, reason },
  onChange,
}: {
  row: FaultyRow;
  onChange: (line: number, column: ImportColumn, value: string) => void;
}) {
  const about = [cells.reference, cells.recipientName, cells.name].filter(Boolean).join(' · ');
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <p className="text-ui wrap-anywhere">
        <span className="figures text-ink-3">Line {line}</span> {about}
        {reason === '' && <span className="text-ink-3"> · Can be imported</span>}
      </p>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        {Object.entries(fields).map(([name, message]) =>
          isColumn(name) ? (
            <Field key={name} label={columnLabels[name]} error={message || undefined}>
              {name === 'category' ? (
                <Select
                  options={categoryOptions}
                  placeholder="Select a category"
                  value={cells.category ?? ''}
                  onChange={(event) => onChange(line, name, event.target.value)}
                />
              ) : (
                <Input
                  autoComplete="off"
                  value={cells[name] ?? ''}
                  onChange={(event) => onChange(line, name, event.target.value)}
                />
              )}
            </Field>
          ) : (
            <p key={name} className="text-ui text-danger">
              {message}
            </p>
          ),
        )}
      </div>
    </li>
  );
}
