import {
  isFinal,
  isOnTheRoad,
  maskTrackingId,
  type AvailablePackage,
  type Delivery,
  type PackageStatus,
} from '@waybill/contract';
import { imageUrl } from '../images/names.ts';
import { keysOf, type ListOrder } from '../platform/database/keyset-lists.ts';
import {
  addressLineOf,
  asWindow,
  destinationOf,
  failedAttemptsOf,
  forecastOf,
  hasArrived,
  handlingOf,
  isWithdrawnStatus,
  locationOf,
  nextStepOf,
  pinStateOf,
  placeOf,
  recipientChangesOf,
  routeOf,
  startedRouteOf,
  type PackageRow,
} from '../packages/row.ts';

const deliveryStatus = (status: PackageStatus): Delivery['status'] => {
  if (status === 'processing') return 'pending';
  return status === 'out for delivery' ? 'in transit' : status;
};

/** Whether the delivery was started and not given back: on the road or delivered. */
export const hasStarted = (status: PackageStatus): boolean => isOnTheRoad(status) || status === 'delivered';

/** The driver's view of a package. Recipient, exact address and full tracking ID are masked until it is started. */
export const asDelivery = (row: PackageRow): Delivery => toDelivery(row, !hasStarted(row.status));

/** SQL of the text searched in these views. Only what they show: otherwise searches could confirm guesses of masked data. */
export const searchDeliveries = `lower(name || ' ' ||
  case when status in ('in transit', 'out for delivery', 'delivered') then tracking_id else 'PKG-…' || right(tracking_id, 3) end)`;

/**
 * Sort keys of a driver's route: the next stop, then open deliveries by the end of their window or their forecast, then delivered ones,
 * latest first.
 */
const stopKeys = [
  `case status when 'out for delivery' then 0 when 'in transit' then 1 else 2 end`,
  `case when completed_at is null then extract(epoch from coalesce(window_to, estimated_delivery_at, created_at))
    else -extract(epoch from completed_at) end`,
  'id',
];

export const stopOrder: ListOrder = { keys: stopKeys, last: keysOf(stopKeys, 'packages') };

/** What is overdue comes first, and what nobody waits for by a day comes last. */
const dueKeys = ["coalesce(window_to, (eta + 1)::timestamp at time zone 'UTC', 'infinity')", 'id'];

export const dueOrder: ListOrder = { keys: dueKeys, last: keysOf(dueKeys, 'packages') };

const doneKeys = ['completed_at', 'id'];

/** Done last comes first. */
export const doneOrder: ListOrder = { keys: doneKeys, descending: true, last: keysOf(doneKeys, 'packages') };

/** The unmasked view, for dispatchers and for a driver on whose route it is planned. */
export const asPlannedDelivery = (row: PackageRow): Delivery => toDelivery(row, false);

/** The owner's view: they entered the recipient and the address, also of what goes back to them, and are not told of planning. */
export const asOwnersDelivery = (row: PackageRow): Delivery => ({
  ...asPlannedDelivery({ ...row, return_to: null }),
  routeId: startedRouteOf(row),
});

/** What a driver sees of a package that was a stop of theirs and is somebody else's now. */
export const asFormerDelivery = (row: PackageRow): Delivery => ({
  ...toDelivery(row, true),
  receivedBy: null,
  routeId: null,
  estimatedDeliveryTime: null,
});

/** The masked view of an unclaimed package, with the field names of a package. */
export const asAvailablePackage = (row: PackageRow): AvailablePackage => ({
  _id: row.id,
  id: row.id,
  trackingId: maskTrackingId(row.tracking_id),
  name: row.name,
  description: row.description,
  category: row.category,
  weight: row.weight,
  dimensions: row.dimensions_cm,
  recipientName: null,
  recipientContact: null,
  recipientAddress: null,
  window: asWindow(row),
  handling: beforeStart.handling(row),
  status: row.status,
  location: beforeStart.location(row),
  eta: row.eta,
  images: row.images.map(imageUrl),
  createdAt: row.created_at.toISOString(),
  lastUpdate: row.updated_at.toISOString(),
  version: row.version,
});

/** Masked values for packages that any driver can see: no exact place. */
const beforeStart = {
  handling: (row: PackageRow) => ({ ...handlingOf(row), safePlace: null }),
  location: (row: PackageRow) => destinationOf(row).address_city ?? row.location,
};

/** What the recipient wished, and what was met at that door, is nothing to whoever brings the package back to its owner. */
const ofRecipient = (row: PackageRow, masked: boolean) =>
  row.return_to
    ? {
        handling: { ...handlingOf(row), safePlace: null },
        window: null,
        instructions: null,
        recipientChanges: [],
        eta: null,
        lastFailure: null,
      }
    : {
        handling: masked ? beforeStart.handling(row) : handlingOf(row),
        window: asWindow(row),
        instructions: masked ? null : row.instructions,
        recipientChanges: masked ? [] : recipientChangesOf(row),
        eta: row.eta,
        // What the driver wrote may name the recipient or the door.
        lastFailure: masked || isFinal(row.status) ? null : (row.failures?.reason ?? null),
      };

function toDelivery(row: PackageRow, masked: boolean): Delivery {
  const completedAt = row.completed_at?.toISOString() ?? null;
  const recipient = row.return_to ?? { name: row.recipient_name, phone: row.recipient_contact };
  return {
    id: row.id,
    trackingId: masked ? maskTrackingId(row.tracking_id) : row.tracking_id,
    reference: masked ? null : row.reference,
    packageName: row.name,
    weight: row.weight,
    category: row.category,
    description: row.description,
    ...ofRecipient(row, masked),
    pinState: row.return_to ? null : pinStateOf(row),
    recipientName: masked ? null : recipient.name,
    recipientPhone: masked ? null : recipient.phone,
    recipientAddress: masked ? null : addressLineOf(destinationOf(row)),
    place: masked ? null : placeOf(destinationOf(row)),
    location: masked ? beforeStart.location(row) : locationOf(row),
    status: deliveryStatus(row.status),
    next: row.status === 'out for delivery',
    arrivedAt: hasArrived(row) ? (row.arrived_at?.toISOString() ?? null) : null,
    driverId: row.driver_id,
    routeId: routeOf(row),
    depotId: row.depot_id,
    // An earlier driver's report may name the recipient or the door.
    issue: masked ? null : row.issue,
    attempts: failedAttemptsOf(row),
    returnDue: row.return_due,
    nextStep: nextStepOf(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    estimatedDeliveryTime: forecastOf(row),
    arrivalWindow: null,
    stopsAway: null,
    startTime: row.started_at?.toISOString() ?? null,
    completedAt,
    actualDeliveryTime: completedAt,
    receivedBy: row.received_by,
    packageImages: isWithdrawnStatus(row.status) ? [] : row.images.map(imageUrl),
    version: row.version,
  };
}
