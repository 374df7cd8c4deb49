import * as z from 'zod/mini';
import { Instant, trueOrFalse } from './common.ts';

/** A cell that a spreadsheet would run as a formula (CSV injection), also with full-width signs or behind control characters. */
// oxlint-disable-next-line no-control-regex
export const looksLikeFormula = /^[=+\-@\uff1d\uff0b\uff0d\uff20\u0000-\u001f\u007f-\u009f]/;

/** Prefixes a cell that looks like a formula with an apostrophe. */
export const escapeFormula = (cell: string) => (looksLikeFormula.test(cell) ? `'${cell}` : cell);

/** The maximum number of rows in one file. */
export const maxImportRows = 10_000;

/**
 * The columns of an import file, and the path of the input field that each maps to. Column names are case-insensitive and ignore spaces,
 * dashes and underscores; the separator is a comma, a semicolon or a tab.
 */
export const importColumns = {
  trackingId: ['trackingId'],
  reference: ['reference'],
  name: ['name'],
  description: ['description'],
  category: ['category'],
  weight: ['weight'],
  width: ['dimensions', 'width'],
  height: ['dimensions', 'height'],
  length: ['dimensions', 'length'],
  recipientName: ['recipientName'],
  recipientContact: ['recipientContact'],
  recipientEmail: ['recipientEmail'],
  recipientPhone: ['recipientPhone'],
  recipientLanguage: ['recipientLanguage'],
  location: ['location'],
  eta: ['eta'],
  street: ['address', 'street'],
  postalCode: ['address', 'postalCode'],
  city: ['address', 'city'],
  country: ['address', 'country'],
  windowFrom: ['window', 'from'],
  windowTo: ['window', 'to'],
  fragile: ['handling', 'fragile'],
  keepUpright: ['handling', 'keepUpright'],
  refrigerated: ['handling', 'refrigerated'],
  signatureRequired: ['handling', 'signatureRequired'],
  pinRequired: ['handling', 'pin'],
  ageCheck: ['handling', 'age'],
  safePlace: ['handling', 'safePlace'],
  instructions: ['instructions'],
  hideRecipient: ['hideRecipient'],
  showSender: ['showSender'],
  allowChanges: ['allowChanges'],
} as const;
export type ImportColumn = keyof typeof importColumns;
const columnNames = Object.keys(importColumns) as [ImportColumn, ...ImportColumn[]];

/** Required in every file, as columns or as constants. */
export const requiredImportColumns = [
  'name',
  'description',
  'category',
  'weight',
  'recipientName',
  'recipientContact',
] as const satisfies ImportColumn[];

/**
 * What a column of a foreign file can map to: one of our columns, or an item of an order. Name and description are built from the items
 * if the file has none. Rows of one order that differ only in their items are merged into one package.
 */
export const importTargets = [...columnNames, 'itemName', 'itemQuantity'] as const;
export const ImportTarget = z.enum(importTargets);
export type ImportTarget = z.output<typeof ImportTarget>;

/** Columns that may have one value for the whole file. Recipients and numbers are specific to each package. */
export const constantColumns = [
  'name',
  'description',
  'category',
  'weight',
  'width',
  'height',
  'length',
  'location',
  'eta',
  'country',
] as const satisfies ImportColumn[];
export type ConstantColumn = (typeof constantColumns)[number];

/** Maps a file's column names to targets; several columns may map to one. `constants` fill in where the file has no value. */
export const ImportMapping = z.strictObject({
  columns: z.record(z.string().check(z.maxLength(200)), ImportTarget),
  constants: z._default(z.partialRecord(z.enum(constantColumns), z.string().check(z.maxLength(2000))), {}),
});
export type ImportMapping = z.output<typeof ImportMapping>;

const asMapping = z.pipe(
  z.string().check(z.maxLength(12_000, 'The mapping is too long')),
  z.transform((text, context): ImportMapping => {
    const read = ImportMapping.safeParse(jsonOf(text));
    if (read.success) return read.data;
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'Must be JSON like {"columns":{"Order":"reference"},"constants":{"category":"Other"}}',
    });
    return z.NEVER;
  }),
);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * `mapping`: the mapping of the columns as JSON, for a file whose header is neither ours nor that of a supported shop. `everyOrder=true`:
 * also imports a shop's orders that are cancelled, refunded, fulfilled or need no shipping.
 */
export const ImportQuery = z.strictObject({
  mapping: z.optional(asMapping),
  everyOrder: z._default(trueOrFalse('everyOrder'), false),
});
export type ImportQuery = z.output<typeof ImportQuery>;

/** The progress of a bulk import. `failed` and `skipped` rows created no package; `done` = created + failed + skipped. */
export const ImportProgress = z.object({
  id: z.string(),
  /** `interrupted`: its server stopped. Sending the same file again resumes it. */
  status: z.enum(['running', 'interrupted', 'finished']),
  total: z.int(),
  done: z.int(),
  created: z.int(),
  failed: z.int(),
  /** Rows whose package already exists, and orders with nothing to ship. */
  skipped: z.int(),
  createdAt: Instant,
  finishedAt: z.nullable(Instant),
});
export type ImportProgress = z.output<typeof ImportProgress>;

/** An invalid row: its line in the file, from 1, and an error for each invalid field. */
const InvalidRow = z.object({ line: z.int(), reason: z.string(), fields: z.record(z.string(), z.string()) });
/** `unshipped`: a shop's order with nothing to ship; else its package already exists. */
const SkippedRow = z.object({ line: z.int(), reason: z.string(), unshipped: z.boolean() });

/** The report: each row that created no package, with the reason, and the ignored columns. */
export const Import = z.extend(ImportProgress, {
  errors: z.array(InvalidRow),
  skippedRows: z.array(SkippedRow),
  ignoredColumns: z.array(z.string()),
});
export type Import = z.output<typeof Import>;

/** The result of a dry run, and how the file was parsed. */
export const ImportPreview = z.object({
  /** The detected format; for `other` the mapping is guessed from the column names. */
  format: z.enum(['waybill', 'shopify', 'woocommerce', 'mapped', 'other']),
  /** The columns of the file, with their target and up to three sample values. */
  columns: z.array(z.object({ name: z.string(), target: z.nullable(ImportTarget), samples: z.array(z.string()) })),
  constants: z.partialRecord(z.enum(constantColumns), z.string()),
  /** Required columns that nothing maps to. If there are any, rows are not validated. */
  missing: z.array(z.enum(columnNames)),
  ignoredColumns: z.array(z.string()),
  total: z.int(),
  created: z.int(),
  failed: z.int(),
  skipped: z.int(),
  /** With the cells of the row by our column names, to be corrected and sent as a separate file. */
  errors: z.array(z.extend(InvalidRow, { cells: z.partialRecord(z.enum(columnNames), z.string()) })),
  skippedRows: z.array(SkippedRow),
});
export type ImportPreview = z.output<typeof ImportPreview>;
