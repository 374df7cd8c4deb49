import * as z from 'zod/mini';
import { Instant, PageQuery, paging, severalOf, text } from './common.ts';
import { group } from './endpoint.ts';
import { destinationFields, PackageStatus, packageStatuses, needsPinFilter, troubleFilters } from './packages.ts';

const PackageCounts = z.object({
  processing: z.int(),
  'in transit': z.int(),
  'out for delivery': z.int(),
  delivered: z.int(),
  cancelled: z.int(),
  inactive: z.int(),
} satisfies Record<PackageStatus, z.ZodMiniInt>);

/** A place is a location as it was typed, case-insensitive, with the number of packages there. */
export const InventoryPlace = z.object({
  /** Its key in other calls; empty for packages without a location. */
  place: z.string(),
  /** Its most frequent spelling; null for packages without a location. */
  name: z.nullable(z.string()),
  counts: PackageCounts,
  total: z.int(),
});
export type InventoryPlace = z.output<typeof InventoryPlace>;

/** A package behind a count. */
export const InventoryPackage = z.object({
  id: z.string(),
  trackingId: z.string(),
  name: z.string(),
  status: PackageStatus,
  location: z.nullable(z.string()),
  driverId: z.nullable(z.string()),
  /** The driver's name; null if there is none, or the account is deleted. */
  driver: z.nullable(z.string()),
  ...destinationFields,
  createdAt: Instant,
  lastUpdate: Instant,
  /** While processing: since when it waits for a driver, i.e. its registration or last failed attempt. */
  waitingSince: z.nullable(Instant),
});
export type InventoryPackage = z.output<typeof InventoryPackage>;

/** A consistent snapshot at `asOf`. */
export const Inventory = z.object({
  asOf: Instant,
  totals: z.object({ counts: PackageCounts, total: z.int() }),
  /** The number of matching places. */
  matching: z.int(),
  /** By name; first the packages without a location. */
  places: z.array(InventoryPlace),
  /** The `cursor` of the next page, or null. */
  next: z.nullable(z.string()),
  /** The ten packages that wait longest, at all places. */
  waitingLongest: z.array(InventoryPackage),
});
export type Inventory = z.output<typeof Inventory>;

/** `q` searches places by a part of their name; totals and `waitingLongest` cover all places. */
export const InventoryQuery = z.extend(z.omit(PageQuery, { count: true }), {
  q: z.optional(text('Search', { max: 120 })),
  cursor: z.optional(text('cursor')),
});
export type InventoryQuery = z.output<typeof InventoryQuery>;

/**
 * The packages behind a count: of one place (empty: without a location) or of all places, by one or more statuses. `q` searches as in the
 * lists of packages.
 */
export const InventoryPackagesQuery = z.extend(PageQuery, {
  q: z.optional(text('Search', { max: 120 })),
  ...troubleFilters,
  ...needsPinFilter,
  place: z.optional(text('place')),
  status: z.optional(severalOf(packageStatuses)),
});
export type InventoryPackagesQuery = z.output<typeof InventoryPackagesQuery>;

export const InventoryExportQuery = z.omit(InventoryQuery, { limit: paging.limit, cursor: paging.cursor });
export type InventoryExportQuery = z.output<typeof InventoryExportQuery>;

const seesAll = { access: { anyOf: ['packages.view_all'] }, scope: 'everything' } as const;

export const inventory = group({
  read: {
    method: 'GET',
    path: '/inventory',
    summary: 'Count packages by place and status, and list those that wait longest',
    failure: 'Failed to fetch the inventory.',
    ...seesAll,
    query: InventoryQuery,
    reply: Inventory,
  },
  /** Newest first; with only `status=processing`, longest waiting first. */
  packages: {
    method: 'GET',
    path: '/inventory/packages',
    summary: 'List the packages that a count includes',
    failure: 'Failed to fetch packages.',
    ...seesAll,
    query: InventoryPackagesQuery,
    reply: z.array(InventoryPackage),
    list: true,
  },
  exportCounts: {
    method: 'GET',
    path: '/inventory/export',
    summary: 'Export places and counts as CSV',
    ...seesAll,
    query: InventoryExportQuery,
    reply: 'csv',
  },
});
