import { escapeFormula, importColumns } from '@waybill/contract';
import type { ImportColumn, ImportPreview } from '@waybill/contract';

export type FaultyRow = ImportPreview['errors'][number];

/** Display names of the columns. */
export const columnLabels: Record<ImportColumn, string> = {
  trackingId: 'Tracking ID',
  reference: 'Reference',
  name: 'Package name',
  description: 'Description',
  category: 'Category',
  weight: 'Weight (kg)',
  width: 'Width (cm)',
  height: 'Height (cm)',
  length: 'Length (cm)',
  recipientName: 'Recipient name',
  recipientContact: 'Contact',
  recipientEmail: "Recipient's email",
  recipientPhone: "Recipient's mobile phone",
  recipientLanguage: "Recipient's language",
  location: 'Current location',
  eta: 'Estimated arrival',
  street: 'Street',
  postalCode: 'Postal code',
  city: 'City',
  country: 'Country',
  windowFrom: 'Time window from',
  windowTo: 'Time window to',
  fragile: 'Fragile',
  keepUpright: 'Keep upright',
  refrigerated: 'Refrigerated',
  signatureRequired: 'Signature required',
  pinRequired: 'PIN at the door',
  ageCheck: 'ID check (18 or older)',
  safePlace: 'Safe place',
  hideRecipient: 'Hide recipient',
  showSender: 'Show sender',
  allowChanges: 'Recipient may change the delivery',
  instructions: 'Instructions for the driver',
};

export const isColumn = (name: string): name is ImportColumn => Object.hasOwn(importColumns, name);

const quoted = (cell: string) => `"${escapeFormula(cell).replaceAll('"', '""')}"`;

/**
 * Writes the rows as CSV with the template's column names, to import or to download.
 * @param withReasons adds the original line and the reason, columns that an import ignores
 * @returns the CSV, and the line in it at which each row starts
 */
export function fileOfRows(rows: readonly FaultyRow[], withReasons = false): { text: string; lines: number[] } {
  const columns = (Object.keys(importColumns) as ImportColumn[]).filter((column) =>
    rows.some(({ cells, fields }) => cells[column] !== undefined || column in fields || requiredColumns.has(column)),
  );
  const header = [...columns, ...(withReasons ? ['line', 'reason'] : [])].join(',');
  const lines: number[] = [];
  let line = 2;
  const records = rows.map((row) => {
    const reasons = withReasons ? [String(row.line), row.reason] : [];
    const record = [...columns.map((column) => row.cells[column] ?? ''), ...reasons].map(quoted).join(',');
    lines.push(line);
    line += record.split('\n').length;
    return record;
  });
  return { text: [header, ...records, ''].join('\n'), lines };
}

const requiredColumns = new Set<ImportColumn>([
  'name',
  'description',
  'category',
  'weight',
  'recipientName',
  'recipientContact',
]);
