import * as z from 'zod/mini';
import { Instant, PageQuery, paging, severalOf, text } from './common.ts';
import { group } from './endpoint.ts';
import { destinationFields, PackageStatus, packageStatuses, troubleFilters } from './packages.ts';

const PackageCounts = z.object({
  processing: z.int(),
  'in transit': z.int(),
  'out for delivery': z.int(),
  delivered: z.int(),
  cancelled: z.int(),
  inactive: z.int(),
} satisfies Record<PackageStatus, z.ZodMiniInt>);

/** Where packages are, by their location as it was written; upper and lower case are one place. */
export const InventoryPlace = z.object({
  /** What stands for it in other calls; empty where no location is given. */
  place: z.string(),
  /** As most of its packages write it; null where no location is given. */
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
  /** The driver's name; null where there is none, or the account is gone. */
  driver: z.nullable(z.string()),
  ...destinationFields,
  createdAt: Instant,
  lastUpdate: Instant,
  /** While processing: since when it waits for a driver, from its registration or its last failed delivery on. */
  waitingSince: z.nullable(Instant),
});
export type InventoryPackage = z.output<typeof InventoryPackage>;

/** Everything in it is of one moment. */
export const Inventory = z.object({
  asOf: Instant,
  totals: z.object({ counts: PackageCounts, total: z.int() }),
  /** How many places match. */
  matching: z.int(),
  /** By name; first what has no location. */
  places: z.array(InventoryPlace),
  /** The `cursor` of the places that follow, or null. */
  next: z.nullable(z.string()),
  /** The ten that wait longest, wherever they are. */
  waitingLongest: z.array(InventoryPackage),
});
export type Inventory = z.output<typeof Inventory>;

/** `q` finds places by a part of their name; totals and what waits longest are of all places. */
export const InventoryQuery = z.extend(z.omit(PageQuery, { count: true }), {
  q: z.optional(text('Search', { max: 120 })),
  cursor: z.optional(text('cursor')),
});
export type InventoryQuery = z.output<typeof InventoryQuery>;

/**
 * The packages that a count counts: of a place (empty: without a location), of all places without it; by one or several statuses. `q`
 * finds some of them as it does in the lists of packages.
 */
export const InventoryPackagesQuery = z.extend(PageQuery, {
  q: z.optional(text('Search', { max: 120 })),
  ...troubleFilters,
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
    summary: 'How many packages are where, and which wait longest',
    failure: 'Failed to fetch the inventory.',
    ...seesAll,
    query: InventoryQuery,
    reply: Inventory,
  },
  /** Newest first; of `status=processing` alone those first that wait longest. */
  packages: {
    method: 'GET',
    path: '/inventory/packages',
    summary: 'The packages behind a count',
    failure: 'Failed to fetch packages.',
    ...seesAll,
    query: InventoryPackagesQuery,
    reply: z.array(InventoryPackage),
    list: true,
  },
  exportCounts: {
    method: 'GET',
    path: '/inventory/export',
    summary: 'Places and counts as a file',
    ...seesAll,
    query: InventoryExportQuery,
    reply: 'csv',
  },
});
