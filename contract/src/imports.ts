import * as z from 'zod/mini';
import { Instant, trueOrFalse } from './common.ts';

/** What a spreadsheet takes for a formula, also in its full-width forms, and what hides one at the start of a cell. */
// oxlint-disable-next-line no-control-regex
export const looksLikeFormula = /^[=+\-@\uff1d\uff0b\uff0d\uff20\u0000-\u001f\u007f-\u009f]/;

/** The cell as it may stand in a file: behind an apostrophe where it looks like a formula. */
export const guarded = (cell: string) => (looksLikeFormula.test(cell) ? `'${cell}` : cell);

/** Most rows of one file. */
export const maxImportRows = 10_000;

/**
 * The columns of a file to import, and the field of the create form that each stands for. Names count in any case, with or without
 * blanks, dashes and underscores; the separator is a comma, a semicolon or a tab.
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
  safePlace: ['handling', 'safePlace'],
  instructions: ['instructions'],
  hideRecipient: ['hideRecipient'],
  showSender: ['showSender'],
} as const;
export type ImportColumn = keyof typeof importColumns;
const columnNames = Object.keys(importColumns) as [ImportColumn, ...ImportColumn[]];

/** Columns that every file needs, or values in their place. */
export const requiredImportColumns = [
  'name',
  'description',
  'category',
  'weight',
  'recipientName',
  'recipientContact',
] as const satisfies ImportColumn[];

/**
 * What a column of somebody else's file can stand for: a column of our own, or a part of an order, of whose parts the name and the
 * description are made where the file has none. Rows of one order that differ in its items alone are one package.
 */
export const importTargets = [...columnNames, 'itemName', 'itemQuantity'] as const;
export const ImportTarget = z.enum(importTargets);
export type ImportTarget = z.output<typeof ImportTarget>;

/** What all packages of a file may have in common. Recipients and numbers are each package's own. */
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

/** The names of a file's columns and what they stand for; several may stand for one. `constants` holds where the file has nothing. */
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
 * `mapping`: what the columns stand for, as JSON, for a file whose header is neither ours nor that of a shop we know. `everyOrder=true`: a
 * shop's orders that are cancelled, refunded, fulfilled or need no shipping are made packages as well.
 */
export const ImportQuery = z.strictObject({
  mapping: z.optional(asMapping),
  everyOrder: z._default(trueOrFalse('everyOrder'), false),
});
export type ImportQuery = z.output<typeof ImportQuery>;

/** How an upload of many packages is getting on. `failed` and `skipped` rows made no package; `done` is all of them together. */
export const ImportProgress = z.object({
  id: z.string(),
  /** `interrupted`: its server stopped on the way. The same file sent again goes on where it was broken off. */
  status: z.enum(['running', 'interrupted', 'finished']),
  total: z.int(),
  done: z.int(),
  created: z.int(),
  failed: z.int(),
  /** Rows whose package is there already, and orders of which nothing is to be shipped. */
  skipped: z.int(),
  createdAt: Instant,
  finishedAt: z.nullable(Instant),
});
export type ImportProgress = z.output<typeof ImportProgress>;

/** A row with its line in the file, counted from 1, and what is wrong with each of its fields. */
const FaultyRow = z.object({ line: z.int(), reason: z.string(), fields: z.record(z.string(), z.string()) });
/** `unshipped`: a shop's order of which nothing is to be shipped; else its package is there already. */
const SkippedRow = z.object({ line: z.int(), reason: z.string(), unshipped: z.boolean() });

/** The report: each row that made no package, and why; and the columns that were not read. */
export const Import = z.extend(ImportProgress, {
  errors: z.array(FaultyRow),
  skippedRows: z.array(SkippedRow),
  ignoredColumns: z.array(z.string()),
});
export type Import = z.output<typeof Import>;

/** What an import of this file would make, and how it was read. Nothing is made. */
export const ImportPreview = z.object({
  /** Whose columns these are; `other` ones are guessed as far as their names tell. */
  format: z.enum(['waybill', 'shopify', 'woocommerce', 'mapped', 'other']),
  /** The columns of the file, what each stands for, and up to three of its values. */
  columns: z.array(z.object({ name: z.string(), target: z.nullable(ImportTarget), samples: z.array(z.string()) })),
  constants: z.partialRecord(z.enum(constantColumns), z.string()),
  /** Columns that nothing stands for. While there are any, no row is looked at. */
  missing: z.array(z.enum(columnNames)),
  ignoredColumns: z.array(z.string()),
  total: z.int(),
  created: z.int(),
  failed: z.int(),
  skipped: z.int(),
  /** With the cells of the row under our own names, to be mended and sent as a file of their own. */
  errors: z.array(z.extend(FaultyRow, { cells: z.partialRecord(z.enum(columnNames), z.string()) })),
  skippedRows: z.array(SkippedRow),
});
export type ImportPreview = z.output<typeof ImportPreview>;
