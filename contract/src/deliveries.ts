import * as z from 'zod/mini';
import { ById, Id, Instant, ListQuery, blankToNull, severalOf, text } from './common.ts';
import { group } from './endpoint.ts';
import { ImageInput } from './images.ts';
import { AvailablePackage, Handling, packageStatuses } from './packages.ts';
import type { PackageStatus } from './packages.ts';
import { Receipt } from './receipts.ts';
import { DriverInfo } from './users.ts';

const usualMs = 6 * 3_600_000;

/**
 * When a delivery is expected that starts now: within six hours, but not before its preferred window begins, nor after it ends as long
 * as that is ahead. What the confirmation shows and the start writes, and another window on the road writes anew.
 */
export function estimateDelivery(startedAt: Date, window: { from: string; to: string } | null): Date {
  const usual = startedAt.getTime() + usualMs;
  if (!window) return new Date(usual);
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  return new Date(to > startedAt.getTime() ? Math.min(Math.max(usual, from), to) : usual);
}

/**
 * A delivery is the driver's view of a package: same id, one status.
 * Not started (pending, cancelled, inactive): `location` is the town of the address, or the package's location, the recipient's fields
 * are null, and of the tracking ID only its end is told, as in `PKG-…KYM`.
 */
export const Delivery = z.object({
  id: z.string(),
  trackingId: z.string(),
  /** The owner's number for it, which may stand on the parcel; null before the start. */
  reference: z.nullable(z.string()),
  packageName: z.string(),
  weight: z.number(),
  category: z.string(),
  description: z.string(),
  handling: Handling,
  recipientName: z.nullable(z.string()),
  recipientPhone: z.nullable(z.string()),
  recipientAddress: z.nullable(z.string()),
  location: z.nullable(z.string()),
  window: z.nullable(z.object({ from: Instant, to: Instant })),
  /** Of the owner, for the driver: null before the start. */
  instructions: z.nullable(z.string()),
  /** What they said before their last change on the road, until it is delivered; only in the driver's own list. */
  instructionsBefore: z.optional(z.string()),
  eta: z.nullable(z.string()),
  status: z.enum(['pending', 'in transit', 'delivered', 'cancelled', 'inactive']),
  /** Marked as the driver's next stop: its package is out for delivery. */
  next: z.boolean(),
  driverId: z.nullable(z.string()),
  issue: z.nullable(z.string()),
  createdAt: Instant,
  updatedAt: Instant,
  estimatedDeliveryTime: z.nullable(Instant),
  startTime: z.nullable(Instant),
  completedAt: z.nullable(Instant),
  actualDeliveryTime: z.nullable(Instant),
  receivedBy: z.nullable(z.string()),
  packageImages: z.array(z.string()),
  version: z.int(),
});
export type Delivery = z.output<typeof Delivery>;

/** What proves it. A package that asks for a signature needs one, or the name of who took it; otherwise a body is optional. */
export const CompletionInput = z.strictObject({
  receivedBy: z.nullish(text('Received by', { max: 120 })),
  note: z.nullish(text('Note', { max: 2000, multiline: true })),
  photo: z.nullish(ImageInput),
  signature: z.nullish(ImageInput),
});
export const CompleteInput = z.nullish(CompletionInput);
export const needsSignatureOrName = 'This package needs a signature, or the name of the person who took it';

export const LocationInput = z.strictObject({
  location: text('Location', { min: 1, tooShort: 'Location is required' }),
});

export const FailInput = z.strictObject({
  reason: text('Reason', { min: 3, tooShort: 'Reason must be at least 3 characters' }),
  /** Where the package is now; without it, it is where it was. */
  location: z.optional(blankToNull(text('Location'))),
});

/** The statuses of packages behind one of a delivery: `pending` is processing, `in transit` also what is out for delivery. */
const behind = (status: 'pending' | PackageStatus): PackageStatus[] => {
  if (status === 'pending') return ['processing'];
  return status === 'in transit' ? ['in transit', 'out for delivery'] : [status];
};

const statusFilters = ['pending', ...packageStatuses] as const;

/** `status` takes a delivery's status, `out for delivery` for the stops marked as next, or several, separated by commas. */
export const DeliveryListQuery = z.extend(ListQuery, {
  status: z.optional(
    z.pipe(
      severalOf(statusFilters),
      z.transform((statuses) => statuses.flatMap(behind)),
    ),
  ),
});
export type DeliveryListQuery = z.output<typeof DeliveryListQuery>;

/** `order=stops`: as a driver goes on, the next stop first, then what is open by when it is due, then what is delivered, the latest first. */
export const OwnDeliveryListQuery = z.extend(DeliveryListQuery, {
  order: z._default(z.enum(['newest', 'stops']), 'newest'),
});
export type OwnDeliveryListQuery = z.output<typeof OwnDeliveryListQuery>;

const list = {
  method: 'GET',
  query: DeliveryListQuery,
  reply: z.array(Delivery),
  list: true,
} as const;

const mine = { role: 'driver', anyOf: ['deliveries.read'] } as const;

/** For a driver's cards; counted by the server over everything, never over the loaded page. */
export const DeliverySummary = z.object({
  mine: z.int(),
  completed: z.int(),
  pending: z.int(),
  active: z.int(),
});

export const deliveries = group({
  /** The unclaimed ones; with `deliveries.view_all` and `status` those of any driver. */
  pending: {
    ...list,
    path: '/deliveries',
    failure: 'Failed to fetch pending deliveries.',
    access: { anyOf: ['deliveries.claim', 'deliveries.view_all'] },
    scope: 'unclaimed deliveries',
  },
  available: {
    ...list,
    reply: z.array(AvailablePackage),
    path: '/packages/available',
    summary: 'The packages behind the unclaimed deliveries',
    failure: 'Failed to fetch available packages.',
    access: { anyOf: ['deliveries.claim', 'deliveries.view_all'] },
    scope: 'unclaimed deliveries',
  },
  mine: {
    ...list,
    query: OwnDeliveryListQuery,
    path: '/deliveries/driver',
    failure: 'Failed to fetch driver deliveries.',
    access: mine,
    scope: 'own deliveries',
  },
  completed: {
    ...list,
    path: '/deliveries/driver/completed',
    failure: 'Failed to fetch driver completed deliveries.',
    access: mine,
    scope: 'own deliveries',
  },
  summary: {
    method: 'GET',
    path: '/deliveries/driver/summary',
    access: mine,
    scope: 'own deliveries',
    reply: DeliverySummary,
  },
  /** What a driver carries, for whoever is about to suspend or delete them. */
  summaryOf: {
    method: 'GET',
    path: '/users/:id/deliveries/summary',
    summary: 'How many deliveries a driver has',
    access: { anyOf: ['users.update', 'users.delete'] },
    scope: 'everything',
    params: ById,
    reply: DeliverySummary,
  },
  ofOwner: {
    ...list,
    path: '/deliveries/owner',
    failure: 'Failed to fetch owner deliveries.',
    access: { role: 'owner', anyOf: ['deliveries.read'] },
    scope: 'own packages',
  },
  /** Who brings a package: for its owner and administrators. */
  driverOfPackage: {
    method: 'GET',
    path: '/users/package/:id/driver',
    access: { anyOf: ['users.read'] },
    scope: 'own packages',
    params: ById,
    reply: DriverInfo,
    errors: ['no_carrier'],
  },
  /** For the owner and administrators, of a delivered package. */
  receipt: {
    method: 'GET',
    path: '/packages/:id/receipt',
    failure: 'Failed to fetch the delivery receipt.',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    reply: Receipt,
    errors: ['not_delivered'],
  },
  /** Drivers see themselves, owners a driver who has one of their packages, administrators every driver. */
  driverInfo: {
    method: 'GET',
    path: '/users/driver/:id/info',
    access: { anyOf: ['users.read', 'admin.manage_users'] },
    scope: 'own packages',
    params: ById,
    reply: DriverInfo,
  },
  start: {
    method: 'POST',
    path: '/deliveries/:id/start',
    load: 'actions',
    limit: 'claim',
    failure: 'Failed to start delivery.',
    access: { role: 'driver', anyOf: ['deliveries.claim'] },
    scope: 'unclaimed deliveries',
    params: ById,
    reply: Delivery,
    errors: ['already_started', 'no_longer_available'],
  },
  next: {
    method: 'POST',
    path: '/deliveries/:id/next',
    load: 'actions',
    limit: 'claim',
    access: { role: 'driver', anyOf: ['deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  /** Where the package is now, for everybody who may see it, on its public page too. */
  reportLocation: {
    method: 'POST',
    path: '/deliveries/:id/location',
    load: 'actions',
    summary: 'Report where a delivery on the road is',
    limit: 'claim',
    failure: 'Failed to report the location.',
    access: { role: 'driver', anyOf: ['deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    body: LocationInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  complete: {
    method: 'POST',
    path: '/deliveries/:id/complete',
    load: 'actions',
    limit: 'claim',
    failure: 'Failed to complete delivery.',
    access: { role: 'driver', anyOf: ['deliveries.complete'] },
    scope: 'own deliveries',
    params: ById,
    body: CompleteInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  fail: {
    method: 'POST',
    path: '/deliveries/:id/fail',
    limit: 'claim',
    access: { anyOf: ['deliveries.update', 'deliveries.assign'] },
    scope: 'own deliveries',
    params: ById,
    body: FailInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  assign: {
    method: 'POST',
    path: '/deliveries/:id/assign',
    access: { anyOf: ['deliveries.assign'] },
    scope: 'everything',
    params: ById,
    body: z.strictObject({ driverId: Id }),
    reply: Delivery,
    errors: ['illegal_step'],
  },
});
