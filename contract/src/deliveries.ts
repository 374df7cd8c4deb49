import * as z from 'zod/mini';
import {
  ById,
  Confirm,
  DayInput,
  Id,
  Instant,
  InstantInput,
  ListQuery,
  blankToNull,
  severalOf,
  text,
} from './common.ts';
import { group } from './endpoint.ts';
import { ImageInput } from './images.ts';
import {
  ArrivalWindow,
  AvailablePackage,
  Handling,
  NextStep,
  Package,
  PinState,
  StopsAway,
  packageStatuses,
} from './packages.ts';
import type { PackageStatus } from './packages.ts';
import { Place } from './places.ts';
import { Receipt } from './receipts.ts';
import { RecipientChange } from './recipients.ts';
import { DriverInfo } from './users.ts';

const defaultDeliveryMs = 6 * 3_600_000;

/**
 * The estimated delivery time: six hours after the start, clamped to the preferred window unless that has already ended. The confirmation
 * shows it, the start stores it, and a changed window on the road updates it.
 */
export function estimateDelivery(startedAt: Date, window: { from: string; to: string } | null): Date {
  const byDefault = startedAt.getTime() + defaultDeliveryMs;
  if (!window) return new Date(byDefault);
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  return new Date(to > startedAt.getTime() ? Math.min(Math.max(byDefault, from), to) : byDefault);
}

/**
 * A delivery is the driver's view of a package: same id, one status.
 * One that is `returnDue` goes back to the owner: for drivers and dispatchers the recipient is the owner, at the return address.
 * Before the start, and when cancelled or inactive: `location` is the town of the address, or else the package's location; the recipient's
 * fields are null; the tracking ID is masked, as in `PKG-…KYM`.
 */
export const Delivery = z.object({
  id: z.string(),
  trackingId: z.string(),
  /** The owner's number for it, which may be printed on the parcel; null before the start. */
  reference: z.nullable(z.string()),
  packageName: z.string(),
  weight: z.number(),
  category: z.string(),
  description: z.string(),
  handling: Handling,
  pinState: PinState,
  recipientName: z.nullable(z.string()),
  recipientPhone: z.nullable(z.string()),
  recipientAddress: z.nullable(z.string()),
  /** Where that address is; null before the start, of what goes back, and until it is known. */
  place: z.nullable(Place),
  location: z.nullable(z.string()),
  window: z.nullable(z.object({ from: Instant, to: Instant })),
  /** From the owner, for the driver; null before the start. */
  instructions: z.nullable(z.string()),
  /** The instructions before their last change on the road, until it is delivered; only in the driver's own list. */
  instructionsBefore: z.optional(z.string()),
  /** What the recipient has changed; none before the start. */
  recipientChanges: z.array(RecipientChange),
  eta: z.nullable(z.string()),
  status: z.enum(['pending', 'in transit', 'delivered', 'cancelled', 'inactive']),
  /** Marked as the driver's next stop: its package is out for delivery. */
  next: z.boolean(),
  /** When its driver arrived at the door, while it is the stop there and once it is delivered. */
  arrivedAt: z.nullable(Instant),
  driverId: z.nullable(z.string()),
  /** The route that has it, or had it last; null for its owner while it is only planned. */
  routeId: z.nullable(z.string()),
  /** Where it waits; null: the only depot, or any. */
  depotId: z.nullable(z.string()),
  issue: z.nullable(z.string()),
  /** Failed attempts. */
  attempts: z.int(),
  /** Why the last of them failed; null without one, before the start, and once it has ended. */
  lastFailure: z.nullable(z.string()),
  /** After too many attempts, or as its owner decided, it goes back to the owner. */
  returnDue: z.boolean(),
  nextStep: z.nullable(NextStep),
  createdAt: Instant,
  updatedAt: Instant,
  estimatedDeliveryTime: z.nullable(Instant),
  arrivalWindow: ArrivalWindow,
  stopsAway: StopsAway,
  startTime: z.nullable(Instant),
  completedAt: z.nullable(Instant),
  actualDeliveryTime: z.nullable(Instant),
  receivedBy: z.nullable(z.string()),
  packageImages: z.array(z.string()),
  version: z.int(),
});
export type Delivery = z.output<typeof Delivery>;

/**
 * When it happened by the clock of the driver's device, which may have been offline: not in the future, not before the start of the
 * delivery, and at most 24 hours ago. Two minutes are allowed for clocks that are off. Figures go by it; the server's time is kept as well.
 */
const DeviceTime = z.nullish(InstantInput);

/** The PIN of a package, as its recipient says it. */
export const Pin = z.string().check(z.trim(), z.regex(/^\d{4}$/, 'The PIN has 4 digits'));

/** After so many different wrong PINs, a package is locked until a dispatcher releases it. */
export const maxPinTries = 5;

/**
 * Proof of delivery. A package that requires a signature needs one, or the name of who received it; one with a PIN needs that, one with an
 * age check `ageChecked`. Otherwise the body is optional.
 */
export const CompletionInput = z.strictObject({
  pin: z.nullish(blankToNull(Pin)),
  /** The driver has checked that who took it is old enough. */
  ageChecked: z.optional(z.boolean()),
  receivedBy: z.nullish(text('Received by', { max: 120 })),
  note: z.nullish(text('Note', { max: 2000, multiline: true })),
  photo: z.nullish(ImageInput),
  signature: z.nullish(ImageInput),
  at: DeviceTime,
});
export const CompleteInput = z.nullish(CompletionInput);
export const missingPinMessage = 'Please ask for the PIN: the recipient got it by message, and has it on their page';
export const missingAgeMessage = 'Please check that the person is 18 or older';
export const missingProofMessage = 'This package needs a signature, or the name of the person who took it';

/** As for a completion, by the staff of a depot. */
export const CollectInput = z.nullish(z.omit(CompletionInput, { at: true }));

/** For so long after its completion a delivery can be reopened. */
export const reopenableHours = 24;

/** `waive`: the PIN is not asked any more. Otherwise the driver has as many tries as before. */
export const ReleasePinInput = z.nullish(z.strictObject({ waive: z._default(z.boolean(), false) }));

export const ReopenInput = z.strictObject({
  reason: text('Reason', { min: 3, tooShort: 'Reason must be at least 3 characters' }),
});

export const ArriveInput = z.nullish(z.strictObject({ at: DeviceTime }));

/** The most packages of one door. */
export const maxDoorPackages = 50;

/** One proof for all packages of a door. `pins`: of those that have one, by id; each has its own, as they may be of different senders. */
export const CompleteDoorInput = z.extend(z.omit(CompletionInput, { pin: true }), {
  pins: z.nullish(z.record(Id, Pin)),
  deliveryIds: z.array(Id).check(
    z.minLength(1, 'Please choose at least one package'),
    z.maxLength(maxDoorPackages, `At most ${maxDoorPackages} packages at a time`),
    z.refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, 'Each package only once'),
  ),
});
export type CompleteDoorInput = z.output<typeof CompleteDoorInput>;

/** In the order of the request. */
export const DoorReply = z.object({ deliveries: z.array(Delivery) });
export type DoorReply = z.output<typeof DoorReply>;

export const LocationInput = z.strictObject({
  location: text('Location', { min: 1, tooShort: 'Location is required' }),
});

/** The reason that needs a note. */
export const otherReason = 'Other';

export const FailInput = z
  .strictObject({
    reason: text('Reason', { min: 3, tooShort: 'Reason must be at least 3 characters' }),
    /** What happened; required with the reason 'Other'. */
    note: z.nullish(blankToNull(text('Note', { max: 2000, multiline: true }))),
    /** Such as the closed door. */
    photo: z.nullish(ImageInput),
    /** A card at the door says where the package is. */
    cardLeft: z.optional(z.boolean()),
    /** When it is to be tried again. */
    nextDay: z.nullish(blankToNull(DayInput)),
    /** Where the package is now; if omitted, its location does not change. */
    location: z.optional(blankToNull(text('Location'))),
    at: DeviceTime,
  })
  .check(
    z.refine(({ reason, note }) => reason.toLowerCase() !== otherReason.toLowerCase() || Boolean(note), {
      path: ['note'],
      error: 'Please say what happened',
    }),
  );
export type FailInput = z.output<typeof FailInput>;

/** The package statuses of a delivery status: `pending` is processing, `in transit` includes out for delivery. */
const packageStatusesOf = (status: 'pending' | PackageStatus): PackageStatus[] => {
  if (status === 'pending') return ['processing'];
  return status === 'in transit' ? ['in transit', 'out for delivery'] : [status];
};

const statusFilters = ['pending', ...packageStatuses] as const;

/** `status` takes delivery statuses and `out for delivery` (the stops marked as next), separated by commas. */
export const DeliveryListQuery = z.extend(ListQuery, {
  status: z.optional(
    z.pipe(
      severalOf(statusFilters),
      z.transform((statuses) => statuses.flatMap(packageStatusesOf)),
    ),
  ),
});
export type DeliveryListQuery = z.output<typeof DeliveryListQuery>;

/** `order=stops` is a driver's order of work: the next stop, then open deliveries by due time, then delivered ones, latest first. */
export const OwnDeliveryListQuery = z.extend(DeliveryListQuery, {
  order: z._default(z.enum(['newest', 'stops']), 'newest'),
});
export type OwnDeliveryListQuery = z.output<typeof OwnDeliveryListQuery>;

/** `order=due`: what is to arrive first comes first. Not with `status`. */
export const PendingListQuery = z.extend(DeliveryListQuery, {
  order: z._default(z.enum(['newest', 'due']), 'newest'),
});
export type PendingListQuery = z.output<typeof PendingListQuery>;

const list = {
  method: 'GET',
  query: DeliveryListQuery,
  reply: z.array(Delivery),
  list: true,
} as const;

const mine = { role: 'driver', anyOf: ['deliveries.read'] } as const;

/** For a driver's cards. The server counts all deliveries, not only the loaded page. */
export const DeliverySummary = z.object({
  mine: z.int(),
  completed: z.int(),
  pending: z.int(),
  active: z.int(),
});
export type DeliverySummary = z.output<typeof DeliverySummary>;

export const deliveries = group({
  /** The unclaimed deliveries; with `deliveries.view_all` and `status`, those of any driver. */
  pending: {
    ...list,
    query: PendingListQuery,
    path: '/deliveries',
    load: 'shared',
    failure: 'Failed to fetch pending deliveries.',
    access: { anyOf: ['deliveries.claim', 'deliveries.view_all'] },
    scope: 'unclaimed deliveries',
  },
  available: {
    ...list,
    reply: z.array(AvailablePackage),
    path: '/packages/available',
    load: 'shared',
    summary: 'List the packages of deliveries without a driver',
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
  /** A driver's deliveries, for an administrator who is about to suspend or delete the driver. */
  summaryOf: {
    method: 'GET',
    path: '/users/:id/deliveries/summary',
    summary: 'Count the deliveries of a driver',
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
  /** The driver of a package, for its owner and administrators. */
  driverOfPackage: {
    method: 'GET',
    path: '/users/package/:id/driver',
    access: { anyOf: ['users.read'] },
    scope: 'own packages',
    params: ById,
    reply: DriverInfo,
    errors: ['no_carrier'],
  },
  /** The receipt of a delivered package, for its owner and administrators. */
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
  /**
   * The proof of a delivered package, to keep and to show to others: photo, signature and what was noted, with its link in the chain of
   * all proofs, and a page that checks all of it without a network.
   */
  proof: {
    method: 'GET',
    path: '/packages/:id/proof',
    summary: 'Download the proof of a delivery',
    failure: 'Failed to fetch the proof of delivery.',
    access: { anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    reply: 'zip',
    errors: ['not_delivered'],
  },
  /** Drivers see themselves, owners see drivers who have one of their packages, administrators see every driver. */
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
    errors: ['already_started', 'no_longer_available', 'planned'],
  },
  /** Out for delivery. On a route, the stop that was next or arrived before is in transit again. */
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
  /** The driver is at the door. On a route, other stops that were next, or arrived at another address, are in transit again. */
  arrive: {
    method: 'POST',
    path: '/deliveries/:id/arrive',
    load: 'actions',
    summary: 'Report the arrival at the door',
    limit: 'claim',
    failure: 'Failed to report the arrival.',
    access: { role: 'driver', anyOf: ['deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    body: ArriveInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  /** The driver is not at the door after all. Their position says nothing of this arrival any more. */
  retract: {
    method: 'POST',
    path: '/deliveries/:id/not-there',
    load: 'actions',
    summary: 'Take an arrival at the door back',
    limit: 'claim',
    failure: 'Failed to take the arrival back.',
    access: { role: 'driver', anyOf: ['deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  /** Sets the package's current location for everybody who may see it, including its public page. */
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
  /** The driver has taken note of what the recipient changed. A repeat changes nothing. */
  acknowledge: {
    method: 'POST',
    path: '/deliveries/:id/acknowledge',
    load: 'actions',
    summary: 'Take note of what the recipient changed',
    limit: 'claim',
    failure: 'Failed to confirm the change.',
    access: { role: 'driver', anyOf: ['deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
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
    errors: ['illegal_step', 'pin_wrong', 'pin_locked'],
  },
  /** Completes several packages at one door, all or none: the error's `fields` name the ones that refuse, such as `deliveryIds.1`. */
  completeDoor: {
    method: 'POST',
    path: '/deliveries/complete',
    load: 'actions',
    summary: 'Complete the deliveries at one door',
    limit: 'claim',
    failure: 'Failed to complete the deliveries.',
    access: { role: 'driver', anyOf: ['deliveries.complete'] },
    scope: 'own deliveries',
    body: CompleteDoorInput,
    reply: DoorReply,
    errors: ['illegal_step', 'pin_wrong', 'pin_locked', 'not_found'],
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
  /** Hands a waiting package over at the depot. */
  collected: {
    method: 'POST',
    path: '/packages/:id/collected',
    summary: 'Hand a waiting package over at the depot',
    failure: 'Failed to hand over the package.',
    access: { anyOf: ['deliveries.assign'] },
    scope: 'everything',
    params: ById,
    body: CollectInput,
    reply: Package,
    errors: ['illegal_step', 'pin_wrong', 'pin_locked'],
  },
  /** The PIN of a package can be tried again after too many wrong ones, or is not asked any more. A repeat changes nothing. */
  releasePin: {
    method: 'POST',
    path: '/deliveries/:id/release-pin',
    summary: 'Release the PIN of a delivery',
    failure: 'Failed to release the PIN.',
    access: { anyOf: ['deliveries.assign'] },
    scope: 'everything',
    params: ById,
    body: ReleasePinInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  /**
   * Takes back a delivery that was completed by mistake, within 24 hours: in transit with the same driver if that one is active, else it
   * waits. Its proof is kept as void on the timeline, its rating is removed, and the attempt leaves the figures.
   */
  reopen: {
    method: 'POST',
    path: '/deliveries/:id/reopen',
    summary: 'Reopen a delivery that was completed by mistake',
    failure: 'Failed to reopen the delivery.',
    access: { anyOf: ['deliveries.assign'] },
    scope: 'everything',
    params: ById,
    body: ReopenInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  assign: {
    method: 'POST',
    path: '/deliveries/:id/assign',
    access: { anyOf: ['deliveries.assign'] },
    scope: 'everything',
    params: ById,
    body: z.strictObject({ driverId: Id, confirm: Confirm }),
    reply: Delivery,
    errors: ['illegal_step', 'off_duty'],
  },
});
