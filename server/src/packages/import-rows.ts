import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CreatePackageInput,
  importColumns,
  type ConstantColumn,
  type ImportColumn,
  type ImportTarget,
} from '@waybill/contract';
import { type CsvTable } from '../platform/csv/csv-records.ts';
import { check } from '../platform/http/http.ts';
import type { Reading } from './import-mapping.ts';
import { readOrderSigns } from './import-orders.ts';

/** A row of the file, or the rows of one order: what the form would be given, or what is wrong with it. */
export interface Row {
  line: number;
  cells: Partial<Record<ImportColumn, string>>;
  input: CreatePackageInput | null;
  faults: Record<string, string>;
  /** Why nothing of the order is to be shipped; then it has neither content nor faults. */
  unshipped: string | null;
}

interface Item {
  name: string;
  quantity: string;
  /** Why it is not to be shipped. */
  unshipped: string | null;
}

/** What stands in a row, before the parts of an order are made into a package. */
interface Draft {
  line: number;
  cells: Map<ImportColumn, string>;
  items: Item[];
  /** Why nothing of the order is to be shipped, as its first row tells. */
  unshipped: string | null;
  tooMany: number | null;
}

const columns = Object.entries(importColumns) as [ImportColumn, readonly string[]][];

/** The packages of the file, with what is wrong in them by the rules and in the words of the form. */
export async function readRows({ records }: CsvTable, reading: Reading): Promise<Row[]> {
  const drafts: Draft[] = [];
  for (const { line, cells, tooMany } of records) {
    const draft = { line, ...draftOf(cells, reading), tooMany };
    const last = drafts.at(-1);
    if (last && isOfSameOrder(last, draft)) last.items.push(...draft.items);
    else drafts.push(draft);
  }
  const rows: Row[] = [];
  for (const draft of drafts) {
    rows.push(readRow(draft, reading));
    // Ten thousand are a second's work: others are served in between.
    if (rows.length % 50 === 0) await nextTurn();
  }
  return rows;
}

/** Parts of one thing that stand in several columns. */
const joined = new Map<ImportTarget, string>([
  ['recipientName', ' '],
  ['name', ' '],
  ['street', ', '],
  ['description', ', '],
  ['safePlace', ', '],
]);

function draftOf(values: readonly string[], { targets, otherwise = [], signs }: Reading) {
  const unshipped = readOrderSigns(values, signs);
  const found = findValues(values, targets);
  if (otherwise.every((target) => target === null || !found.has(target)))
    for (const [target, parts] of findValues(values, otherwise)) found.set(target, parts);
  const items = itemsOf(found.get('itemName')?.[0] ?? '', found.get('itemQuantity')?.[0] ?? '').map((item) => ({
    ...item,
    unshipped: unshipped.item,
  }));
  const cells = new Map<ImportColumn, string>();
  for (const [target, parts] of found) {
    if (target === 'itemName' || target === 'itemQuantity') continue;
    const separator = joined.get(target);
    const value = separator === undefined ? parts[0] : parts.join(separator);
    cells.set(target, target === 'recipientContact' ? contactOf(parts) : (value ?? ''));
  }
  // Spreadsheets are kept from taking the zero off a postal code by an apostrophe.
  const postalCode = cells.get('postalCode');
  if (postalCode) cells.set('postalCode', postalCode.replace(/^'/, ''));
  // Where nobody has said which column is the item, a row is one.
  return { cells, items, unshipped: unshipped.order ?? (items.length === 0 ? unshipped.item : null) };
}

function findValues(values: readonly string[], targets: Reading['targets']): Map<ImportTarget, string[]> {
  const found = new Map<ImportTarget, string[]>();
  for (const [index, target] of targets.entries()) {
    const value = values[index]?.trim() ?? '';
    if (target && value !== '') found.set(target, [...(found.get(target) ?? []), value]);
  }
  return found;
}

/** A phone number before an e-mail address, and one that is long enough before one that is not. */
function contactOf(parts: readonly string[]): string {
  const numbers = parts.map((part) => part.replace(/^'/, ''));
  const phones = numbers.filter((part) => !part.includes('@'));
  const sorted = [...phones, ...numbers.filter((part) => part.includes('@'))];
  return sorted.find((part) => part.length >= 10) ?? sorted[0] ?? '';
}

/** WooCommerce may write all items of an order into one cell: `name:Lamp|quantity:2|total:40;name:…`. */
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

/** A shop writes a row for each item of an order, with the rest of it again or left empty. */
function isOfSameOrder(order: Draft, next: Draft): boolean {
  const reference = next.cells.get('reference');
  if (reference === undefined || reference !== order.cells.get('reference') || next.items.length === 0) return false;
  return [...next.cells].every(
    ([column, value]) => value === order.cells.get(column) || isRepeatedContact(column, next),
  );
}

/** Shopify repeats the e-mail address beside each item, but not the phone number. */
const isRepeatedContact = (column: ImportColumn, { cells }: Draft) =>
  column === 'recipientContact' && !cells.has('recipientName') && !cells.has('street');

function readRow(draft: Draft, { format, constants }: Reading): Row {
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

/** Of an order with several items only where none of them is to be shipped. */
function whyUnshipped({ cells, items, unshipped }: Draft): string | null {
  const ofItems = items.every((item) => item.unshipped !== null) ? items.map((item) => item.unshipped) : [];
  const reasons = unshipped === null ? [...new Set(ofItems)] : [unshipped];
  if (reasons.length === 0) return null;
  const reference = cells.get('reference');
  return `${reference ? `Order ${reference}` : 'This order'} ${reasons.join(' and ')}`;
}

/** The name and the description of a package where the file has only an order: what is in it. */
function describeOrder(cells: Map<ImportColumn, string>, items: Item[], constants: Reading['constants']): void {
  const reference = cells.get('reference');
  const order = reference ? `Order ${reference}` : '';
  const [first] = items;
  if (!cells.has('name') && !constants.name) {
    const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
    const name = first ? cut(first.name, 120 - more.length) + more : order;
    // A TV is one, and too short a name for one.
    cells.set('name', name.length < 3 && order ? cut(`${order}: ${name}`, 120) : name);
  }
  if (!cells.has('description') && !constants.description) {
    const list = items.map(({ name, quantity }) => (quantity ? `${quantity} × ${name}` : name)).join(', ');
    const text = list ? [order, list].filter(Boolean).join(': ') : reference && `Package of order ${reference}`;
    if (text) cells.set('description', cut(text, 2000));
  }
}

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);

/** The column that a field of the form comes from. */
export const columnOf = (path: string): string => columns.find(([, fields]) => fields.join('.') === path)?.[0] ?? path;

const numbers = new Set<ImportColumn>(['weight', 'width', 'height', 'length']);
const yesOrNo = new Set<ImportColumn>([
  'fragile',
  'keepUpright',
  'refrigerated',
  'signatureRequired',
  'hideRecipient',
  'showSender',
]);

/** What the form would send. An empty cell is a field left out. */
function inputOf(cells: ReadonlyMap<ImportColumn, string>): object {
  const input: Record<string, unknown> = {};
  for (const [column, [field = '', part]] of columns) {
    const cell = cells.get(column) ?? '';
    if (cell === '') continue;
    const value = numbers.has(column) ? asNumber(cell) : yesOrNo.has(column) ? asBoolean(cell) : cell;
    if (part === undefined) input[field] = value;
    else input[field] = { ...(input[field] as object | undefined), [part]: value };
  }
  return input;
}

/** With a decimal point or comma: where the one separates cells, people write the other. */
const asNumber = (cell: string): number =>
  /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : Number.NaN;

function asBoolean(cell: string): boolean | string {
  if (/^(true|yes|y|x|1)$/i.test(cell)) return true;
  return /^(false|no|n|0)$/i.test(cell) ? false : cell;
}
