import { guarded, importColumns } from '@waybill/contract';
import type { ImportColumn, ImportPreview } from '@waybill/contract';

export type FaultyRow = ImportPreview['errors'][number];

/** What the columns are called on the screen. */
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
  safePlace: 'Safe place',
  hideRecipient: 'Hide recipient',
  showSender: 'Show sender',
  instructions: 'Instructions for the driver',
};

export const isColumn = (name: string): name is ImportColumn => Object.hasOwn(importColumns, name);

const quoted = (cell: string) => `"${guarded(cell).replaceAll('"', '""')}"`;

/**
 * These rows as a file under our own names, to be sent or kept.
 * @param withReasons with the line of the first file and what is wrong, which an import passes over
 * @returns the file, and the line at which each of the rows begins in it
 */
export function fileOfRows(rows: readonly FaultyRow[], withReasons = false): { text: string; lines: number[] } {
  const columns = (Object.keys(importColumns) as ImportColumn[]).filter((column) =>
    rows.some(({ cells, fields }) => cells[column] !== undefined || column in fields || isAlwaysThere.has(column)),
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

const isAlwaysThere = new Set<ImportColumn>([
  'name',
  'description',
  'category',
  'weight',
  'recipientName',
  'recipientContact',
]);
