import {
  requiredImportColumns,
  type ConstantColumn,
  type ImportColumn,
  type ImportQuery,
  type ImportPreview,
  type ImportTarget,
} from '@waybill/contract';
import { invalid } from '../platform/errors.ts';
import { guessTarget, ownName, plain, shops } from './import-column-names.ts';
import { findOrderSigns, type OrderSigns } from './import-orders.ts';

/** How a file is read: which of its columns stand for what, and what stands where there is none. */
export interface Reading {
  format: ImportPreview['format'];
  /** For each column of the file. */
  targets: (ImportTarget | null)[];
  /** The same for a row that has none of what these stand for: an address is taken whole from the one or from the other. */
  otherwise?: (ImportTarget | null)[];
  constants: Partial<Record<ConstantColumn, string>>;
  /** What says that nothing of an order is to be shipped: of a shop that we know, however its columns are read. */
  signs: OrderSigns;
}

const usual = { category: 'Other', weight: '1' } as const;

/** Where the header does not say it: what somebody chose, our own names, those of a shop we know, or what the names sound like. */
export function readHeader(header: readonly string[], { mapping, everyOrder }: ImportQuery): Reading {
  const reading = readColumns(header, mapping);
  return everyOrder ? { ...reading, signs: [] } : reading;
}

function readColumns(header: readonly string[], mapping: ImportQuery['mapping']): Reading {
  if (mapping) {
    const targets = header.map((name) =>
      Object.hasOwn(mapping.columns, name) ? (mapping.columns[name] ?? null) : null,
    );
    return {
      format: 'mapped',
      targets,
      constants: mapping.constants,
      signs: findShop(header) ? findOrderSigns(header) : [],
    };
  }
  const own = asOwn(header);
  if (missingOf(own).length === 0) return own;
  const shop = findShop(header);
  if (!shop) return { format: 'other', targets: header.map(guessTarget), constants: usual, signs: [] };
  const [targets, otherwise] = [targetsOf(header, shop.columns), targetsOf(header, shop.otherwise)];
  return { format: shop.format, targets, otherwise, constants: usual, signs: findOrderSigns(header) };
}

const findShop = (header: readonly string[]) => {
  const names = new Set(header.map(plain));
  return shops.find(({ marks }) => marks.every((mark) => mark.some((name) => names.has(name))));
};

function targetsOf(header: readonly string[], columns: (typeof shops)[number]['columns']): Reading['targets'] {
  const names = header.map(plain);
  const targets = names.map(() => null as ImportTarget | null);
  for (const [target, alternatives] of columns) {
    // The first of these that the file has: a whole street rather than its parts.
    const chosen = alternatives.find(([first = '']) => names.includes(first)) ?? [];
    for (const name of chosen) if (names.includes(name)) targets[names.indexOf(name)] = target;
  }
  return targets;
}

/** Columns that every package needs and that nothing in the file stands for. An order has a name by its number or its items. */
export function missingOf({ format, targets, constants }: Reading): ImportColumn[] {
  const there = new Set<string | null>([...targets, ...Object.keys(constants)]);
  const isOrder = format !== 'waybill' && (there.has('itemName') || there.has('reference'));
  return requiredImportColumns.filter(
    (column) => !there.has(column) && !(isOrder && (column === 'name' || column === 'description')),
  );
}

const asOwn = (header: readonly string[]): Reading => ({
  format: 'waybill',
  targets: header.map((name) => ownName(name)),
  constants: {},
  signs: [],
});

/** @throws invalid, naming the columns, when a file cannot be imported as it is read */
export function refuseHeader(header: readonly string[], reading: Reading): void {
  const faults = new Map<string, string>();
  if (reading.format === 'waybill' || reading.format === 'other') {
    const own = header.map((name) => ownName(name));
    for (const [index, column] of own.entries())
      if (column && own.indexOf(column) < index) faults.set(column, 'This column is there twice');
    // What its names sound like is for somebody to look at first.
    for (const column of missingOf(asOwn(header))) faults.set(column, 'This column is missing');
  } else {
    for (const column of missingOf(reading)) faults.set(column, 'This column is missing');
  }
  if (faults.size === 0) return;
  const message = [...faults].map(([name, what]) => `${name}: ${what}`).join('; ');
  throw invalid({ header: message.slice(0, 1000), ...Object.fromEntries(faults) });
}

/** The columns that are left out. Those of our own exports that only the server writes need no word. */
export const ignoredOf = (header: readonly string[], { format, targets, otherwise }: Reading): string[] =>
  header.filter(
    (name, index) => name !== '' && !targets[index] && !otherwise?.[index] && !(format === 'waybill' && isKnown(name)),
  );

/** What only the server writes, and what faulty rows are returned with. */
const known = new Set(
  `id _id userId status createdAt lastUpdate recipientAddress driverId issue images startTime estimatedDeliveryTime actualDeliveryTime
   completedAt receivedBy rating ratingStars ratingComment version line reason`
    .split(/\s+/)
    .map(plain),
);
const isKnown = (name: string) => known.has(plain(name));
