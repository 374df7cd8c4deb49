import { importColumns, type ImportColumn } from '@waybill/contract';
import { csvOf, type CsvFile } from '../platform/csv/csv.ts';

export const templateRow: Partial<Record<ImportColumn, string>> = {
  reference: '#1001',
  name: 'Desk lamp',
  description: 'A lamp for the desk, in two parts',
  category: 'Furniture',
  weight: '2.5',
  width: '20',
  height: '45',
  length: '20',
  recipientName: 'Anna Maria Berg',
  recipientContact: '0151 23456789',
  recipientEmail: 'anna@example.com',
  recipientPhone: '+4915123456789',
  recipientLanguage: 'de',
  location: 'Counter 1',
  eta: '2030-01-31',
  street: 'Harbour Street 12',
  postalCode: '10115',
  city: 'Berlin',
  country: 'Germany',
  windowFrom: '2030-01-31T08:00:00Z',
  windowTo: '2030-01-31T12:00:00Z',
  fragile: 'yes',
  keepUpright: 'no',
  refrigerated: 'no',
  signatureRequired: 'no',
  pinRequired: 'no',
  ageCheck: 'no',
  safePlace: 'Behind the shed',
  instructions: 'The bell is broken, please knock',
  hideRecipient: 'no',
  showSender: 'no',
  allowChanges: 'yes',
};

/** A CSV template with every import column and one example row. */
export function importTemplate(): CsvFile {
  const cells = Object.fromEntries(
    Object.keys(importColumns).map(
      (name) => [name, (row: typeof templateRow) => row[name as ImportColumn] ?? null] as const,
    ),
  );
  return {
    name: 'packages-to-import.csv',
    chunks: () => csvOf(cells, (row) => row, once([templateRow])),
  };
}

// oxlint-disable-next-line require-await
async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
