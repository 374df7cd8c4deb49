import {
  requiredImportColumns,
  type ConstantColumn,
  type ImportColumn,
  type ImportQuery,
  type ImportPreview,
  type ImportTarget,
} from '@waybill/contract';
import { invalid } from '../platform/errors.ts';
import { findOwnColumn, guessTarget, normalizeName, shops } from './import-column-names.ts';
import { findUnshippedRules, type UnshippedRules } from './import-unshipped.ts';

/** How a file is read: the target of each of its columns, and constants for targets without a column. */
export interface ImportLayout {
  format: ImportPreview['format'];
  /** For each column of the file. */
  targets: (ImportTarget | null)[];
  /** Used for a row in which all of these targets are empty, so that an address is never mixed from both. */
  fallback?: (ImportTarget | null)[];
  constants: Partial<Record<ConstantColumn, string>>;
  /** Detect orders with nothing to ship. Known shops only, also when the columns are mapped by hand. */
  unshippedRules: UnshippedRules;
}

const defaultConstants = { category: 'Other', weight: '1' } as const;

/** Detects the layout, in this order: the user's mapping, our own column names, those of a known shop, guesses by synonyms. */
export function detectLayout(header: readonly string[], { mapping, everyOrder }: ImportQuery): ImportLayout {
  const layout = layoutOf(header, mapping);
  return everyOrder ? { ...layout, unshippedRules: [] } : layout;
}

function layoutOf(header: readonly string[], mapping: ImportQuery['mapping']): ImportLayout {
  if (mapping) {
    const targets = header.map((name) =>
      Object.hasOwn(mapping.columns, name) ? (mapping.columns[name] ?? null) : null,
    );
    return {
      format: 'mapped',
      targets,
      constants: mapping.constants,
      unshippedRules: findShop(header) ? findUnshippedRules(header) : [],
    };
  }
  const own = ownLayout(header);
  if (findMissingColumns(own).length === 0) return own;
  const shop = findShop(header);
  if (!shop)
    return { format: 'other', targets: header.map(guessTarget), constants: defaultConstants, unshippedRules: [] };
  return {
    format: shop.format,
    targets: targetsOf(header, shop.columns),
    fallback: targetsOf(header, shop.fallback),
    constants: defaultConstants,
    unshippedRules: findUnshippedRules(header),
  };
}

const findShop = (header: readonly string[]) => {
  const names = new Set(header.map(normalizeName));
  return shops.find(({ markers }) => markers.every((group) => group.some((name) => names.has(name))));
};

function targetsOf(header: readonly string[], columns: (typeof shops)[number]['columns']): ImportLayout['targets'] {
  const names = header.map(normalizeName);
  const targets = names.map(() => null as ImportTarget | null);
  for (const [target, alternatives] of columns) {
    // Take the first alternative that the file has, e.g. the whole street rather than its parts.
    const chosen = alternatives.find(([first = '']) => names.includes(first)) ?? [];
    for (const name of chosen) if (names.includes(name)) targets[names.indexOf(name)] = target;
  }
  return targets;
}

/** Returns the required columns that have neither a source nor a constant. An order gets its name from its number or its items. */
export function findMissingColumns({ format, targets, constants }: ImportLayout): ImportColumn[] {
  const present = new Set<string | null>([...targets, ...Object.keys(constants)]);
  const isOrder = format !== 'waybill' && (present.has('itemName') || present.has('reference'));
  return requiredImportColumns.filter(
    (column) => !present.has(column) && !(isOrder && (column === 'name' || column === 'description')),
  );
}

const ownLayout = (header: readonly string[]): ImportLayout => ({
  format: 'waybill',
  targets: header.map((name) => findOwnColumn(name)),
  constants: {},
  unshippedRules: [],
});

/** @throws invalid, naming the columns, when the file cannot be imported with this layout */
export function assertImportable(header: readonly string[], layout: ImportLayout): void {
  const faults = new Map<string, string>();
  if (layout.format === 'waybill' || layout.format === 'other') {
    const own = header.map((name) => findOwnColumn(name));
    for (const [index, column] of own.entries())
      if (column && own.indexOf(column) < index) faults.set(column, 'This column is there twice');
    // Guesses by synonyms do not count here: the user has to confirm them in the preview first.
    for (const column of findMissingColumns(ownLayout(header))) faults.set(column, 'This column is missing');
  } else {
    for (const column of findMissingColumns(layout)) faults.set(column, 'This column is missing');
  }
  if (faults.size === 0) return;
  const message = [...faults].map(([name, what]) => `${name}: ${what}`).join('; ');
  throw invalid({ header: message.slice(0, 1000), ...Object.fromEntries(faults) });
}

/** Returns the columns that are ignored, without the server's own columns in our exports: those are expected. */
export const findIgnoredColumns = (header: readonly string[], { format, targets, fallback }: ImportLayout): string[] =>
  header.filter(
    (name, index) =>
      name !== '' && !targets[index] && !fallback?.[index] && !(format === 'waybill' && isServerColumn(name)),
  );

/** Columns that only the server writes, and `line` and `reason`, which rejected rows are returned with. */
const serverColumns = new Set(
  `id _id userId status createdAt lastUpdate recipientAddress driverId routeId depotId attempts issue images startTime estimatedDeliveryTime actualDeliveryTime
   completedAt receivedBy rating ratingStars ratingComment recipientRating recipientRatingStars recipientRatingComment version line reason`
    .split(/\s+/)
    .map(normalizeName),
);
const isServerColumn = (name: string) => serverColumns.has(normalizeName(name));
