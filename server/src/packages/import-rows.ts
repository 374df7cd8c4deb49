import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CreatePackageInput,
  checkedAge,
  importColumns,
  reachedBy,
  type ConstantColumn,
  type ImportColumn,
  type ImportTarget,
} from '@waybill/contract';
import { type CsvTable } from '../platform/csv/csv-records.ts';
import { check } from '../platform/http/http.ts';
import type { ImportLayout } from './import-mapping.ts';
import { findUnshippedReasons } from './import-unshipped.ts';

/** A row of the file, or all rows of one order: either the input of the create form, or its faults. */
export interface Row {
  line: number;
  cells: Partial<Record<ImportColumn, string>>;
  input: CreatePackageInput | null;
  faults: Record<string, string>;
  /** Why the order has nothing to ship; then there is neither input nor faults. */
  unshipped: string | null;
}

interface Item {
  name: string;
  quantity: string;
  /** Why the item is not shipped. */
  unshipped: string | null;
}

/** The parsed cells of a row, before the rows of an order are merged into a package. */
interface Draft {
  line: number;
  cells: Map<ImportColumn, string>;
  items: Item[];
  /** Why the order has nothing to ship, according to its first row. */
  unshipped: string | null;
  tooMany: number | null;
}

const columns = Object.entries(importColumns) as [ImportColumn, readonly string[]][];

/** Rows that are read, and then looked up, together: a look-up has to finish within the statement time-out of a request. */
export const rowsPerBatch = 500;
/** Rows between turns of the event loop, so that other requests are served: 50 rows take some 2 ms. */
const rowsPerTurn = 50;

/** Yields the packages of the file, with their faults, in batches: same rules and messages as the create form. */
export async function* readRows({ records }: CsvTable, layout: ImportLayout): AsyncGenerator<Row[]> {
  const drafts: Draft[] = [];
  for (const [index, { line, cells, tooMany }] of records.entries()) {
    const draft = { line, ...draftOf(cells, layout), tooMany };
    const last = drafts.at(-1);
    if (last && isOfSameOrder(last, draft)) last.items.push(...draft.items);
    else drafts.push(draft);
    if (index % (rowsPerTurn * 4) === 0) await nextTurn();
  }
  let rows: Row[] = [];
  for (const [index, draft] of drafts.entries()) {
    rows.push(readRow(draft, layout));
    if (index % rowsPerTurn === 0) await nextTurn();
    if (rows.length < rowsPerBatch) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

/** Targets whose value may be spread over several columns, with the separator that joins them. */
const separators = new Map<ImportTarget, string>([
  ['recipientName', ' '],
  ['name', ' '],
  ['street', ', '],
  ['description', ', '],
  ['safePlace', ', '],
]);

function draftOf(values: readonly string[], { targets, fallback = [], unshippedRules }: ImportLayout) {
  const unshipped = findUnshippedReasons(values, unshippedRules);
  const found = findValues(values, targets);
  if (fallback.every((target) => target === null || !found.has(target)))
    for (const [target, parts] of findValues(values, fallback)) found.set(target, parts);
  const items = itemsOf(found.get('itemName')?.[0] ?? '', found.get('itemQuantity')?.[0] ?? '').map((item) => ({
    ...item,
    unshipped: unshipped.item,
  }));
  const cells = new Map<ImportColumn, string>();
  for (const [target, parts] of found) {
    if (target === 'itemName' || target === 'itemQuantity') continue;
    const separator = separators.get(target);
    const value = separator === undefined ? parts[0] : parts.join(separator);
    cells.set(target, target === 'recipientContact' ? contactOf(parts) : (value ?? ''));
  }
  // A shop's order has both a number and an address; the contact is one of them. What is no address is no fault of the row.
  const contacts = found.get('recipientContact') ?? [];
  const email = contacts.map((part) => reachedBy(part).email).find((address) => address !== null);
  if (email && contacts.length > 1 && !cells.has('recipientEmail')) cells.set('recipientEmail', email);
  // A spreadsheet's guard against formulas, as our own exports have it.
  const phone = cells.get('recipientPhone');
  if (phone) cells.set('recipientPhone', phone.replace(/^'/, '').replaceAll(/[\s()./-]/g, ''));
  // Shops put an apostrophe before a postal code so that spreadsheets keep its leading zero.
  const postalCode = cells.get('postalCode');
  if (postalCode) cells.set('postalCode', postalCode.replace(/^'/, ''));
  // Without an item column, the row itself is the item.
  return { cells, items, unshipped: unshipped.order ?? (items.length === 0 ? unshipped.item : null) };
}

function findValues(values: readonly string[], targets: ImportLayout['targets']): Map<ImportTarget, string[]> {
  const found = new Map<ImportTarget, string[]>();
  for (const [index, target] of targets.entries()) {
    const value = values[index]?.trim() ?? '';
    if (target && value !== '') found.set(target, [...(found.get(target) ?? []), value]);
  }
  return found;
}

/** Picks the contact: one of at least 10 characters, as the form requires, and a phone number before an email address. */
function contactOf(parts: readonly string[]): string {
  const numbers = parts.map((part) => part.replace(/^'/, ''));
  const phones = numbers.filter((part) => !part.includes('@'));
  const sorted = [...phones, ...numbers.filter((part) => part.includes('@'))];
  return sorted.find((part) => part.length >= 10) ?? sorted[0] ?? '';
}

/** WooCommerce may put all items of an order into one cell: `name:Lamp|quantity:2|total:40;name:…`. */
function itemsOf(name: string, quantity: string): Omit<Item, 'unshipped'>[] {
  if (name === '') return [];
  if (!/(^|\|)name:/.test(name)) return [{ name, quantity }];
  return name.split(';').flatMap((item) => {
    const parts = Object.fromEntries(
      item.split('|').map((part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]),
    ) as Partial<Record<string, string>>;
    return parts.name ? [{ name: parts.name.trim(), quantity: parts.quantity ?? '' }] : [];
  });
}

/** Shops export a row per item of an order; the other columns are repeated or left empty. */
function isOfSameOrder(order: Draft, next: Draft): boolean {
  const reference = next.cells.get('reference');
  if (reference === undefined || reference !== order.cells.get('reference') || next.items.length === 0) return false;
  return [...next.cells].every(
    ([column, value]) => value === order.cells.get(column) || isRepeatedContact(column, next),
  );
}

/** Shopify repeats the email address in each item row, but not the phone number. */
const isRepeatedContact = (column: ImportColumn, { cells }: Draft) =>
  (column === 'recipientContact' || column === 'recipientEmail') && !cells.has('recipientName') && !cells.has('street');

function readRow(draft: Draft, { format, constants }: ImportLayout): Row {
  const { line, cells, tooMany } = draft;
  const unshipped = whyUnshipped(draft);
  if (unshipped !== null) return { line, cells: {}, input: null, faults: {}, unshipped };
  const items = draft.items.filter((item) => item.unshipped === null);
  if (format !== 'waybill') describeOrder(cells, items, constants);
  for (const [column, value] of Object.entries(constants) as [ConstantColumn, string][])
    if (!cells.has(column) && value.trim() !== '') cells.set(column, value.trim());
  const row = { line, cells: Object.fromEntries(cells), input: null, unshipped };
  if (tooMany !== null) return { ...row, faults: { row: `This row has ${tooMany} cells, more than the header` } };
  const checked = check(CreatePackageInput, inputOf(cells));
  if ('value' in checked) return { ...row, input: checked.value, faults: {} };
  const faults = Object.entries(checked.fields).map(([path, message]) => [columnOf(path), message]);
  return { ...row, faults: Object.fromEntries(faults) as Record<string, string> };
}

/** An order counts as unshipped by its items only if none of them is shipped. */
function whyUnshipped({ cells, items, unshipped }: Draft): string | null {
  const ofItems = items.every((item) => item.unshipped !== null) ? items.map((item) => item.unshipped) : [];
  const reasons = unshipped === null ? [...new Set(ofItems)] : [unshipped];
  if (reasons.length === 0) return null;
  const reference = cells.get('reference');
  return `${reference ? `Order ${reference}` : 'This order'} ${reasons.join(' and ')}`;
}

/** Fills in a missing name and description of an order's package from the order's items. */
function describeOrder(cells: Map<ImportColumn, string>, items: Item[], constants: ImportLayout['constants']): void {
  const reference = cells.get('reference');
  const order = reference ? `Order ${reference}` : '';
  const [first] = items;
  if (!cells.has('name') && !constants.name) {
    const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
    const name = first ? truncate(first.name, 120 - more.length) + more : order;
    // 'TV' is a valid item, but names need at least 3 characters.
    cells.set('name', name.length < 3 && order ? truncate(`${order}: ${name}`, 120) : name);
  }
  if (!cells.has('description') && !constants.description) {
    const list = items.map(({ name, quantity }) => (quantity ? `${quantity} × ${name}` : name)).join(', ');
    const text = list ? [order, list].filter(Boolean).join(': ') : reference && `Package of order ${reference}`;
    if (text) cells.set('description', truncate(text, 2000));
  }
}

const truncate = (text: string, max: number) => (text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}…`);

/** Returns the import column of a form field, e.g. `city` for `address.city`. */
export const columnOf = (path: string): string => columns.find(([, fields]) => fields.join('.') === path)?.[0] ?? path;

const numberColumns = new Set<ImportColumn>(['weight', 'width', 'height', 'length']);
const booleanColumns = new Set<ImportColumn>([
  'fragile',
  'keepUpright',
  'refrigerated',
  'signatureRequired',
  'pinRequired',
  'hideRecipient',
  'showSender',
  'allowChanges',
]);

/** Builds the input of the create form. Empty cells are omitted. */
function inputOf(cells: ReadonlyMap<ImportColumn, string>): object {
  const input: Record<string, unknown> = {};
  for (const [column, [field = '', part]] of columns) {
    const cell = cells.get(column) ?? '';
    if (cell === '') continue;
    const value = valueOf(column, cell);
    if (part === undefined) input[field] = value;
    else input[field] = { ...(input[field] as object | undefined), [part]: value };
  }
  return input;
}

function valueOf(column: ImportColumn, cell: string): unknown {
  if (column === 'ageCheck') return asAge(cell);
  if (numberColumns.has(column)) return asNumber(cell);
  return booleanColumns.has(column) ? asBoolean(cell) : cell;
}

/** Accepts '18', '18+', yes and no. */
function asAge(cell: string): number | string | null {
  if (/^\d+\+?$/.test(cell) && Number.parseInt(cell, 10) > 1) return Number.parseInt(cell, 10);
  const isChecked = asBoolean(cell);
  if (typeof isChecked === 'string') return cell;
  return isChecked ? checkedAge : null;
}

/** Accepts a decimal point or comma: locales that use decimal commas separate cells by semicolons. */
const asNumber = (cell: string): number =>
  /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : Number.NaN;

function asBoolean(cell: string): boolean | string {
  if (/^(true|yes|y|x|1)$/i.test(cell)) return true;
  return /^(false|no|n|0)$/i.test(cell) ? false : cell;
}
