import {
  isOnTheRoad,
  maskTrackingId,
  type AvailablePackage,
  type Delivery,
  type PackageStatus,
} from '@waybill/contract';
import { imageUrl } from '../images/names.ts';
import { keysOf, type ListOrder } from '../platform/database/keyset-lists.ts';
import { asWindow, forecastOf, isWithdrawnStatus, locationOf, oneLine, type PackageRow } from '../packages/row.ts';

const deliveryStatus = (status: PackageStatus): Delivery['status'] => {
  if (status === 'processing') return 'pending';
  return status === 'out for delivery' ? 'in transit' : status;
};

/** A start that came through, however far the delivery is by now. */
export const hasStarted = (status: PackageStatus): boolean => isOnTheRoad(status) || status === 'delivered';

/** The driver's view of a package. Until it is started, recipient, exact address and the ID of its public page stay hidden. */
export const asDelivery = (row: PackageRow): Delivery => present(row, !hasStarted(row.status));

/** What a search among such views looks through: no more than they show, or each guess would be confirmed or denied. */
export const searchDeliveries = `lower(name || ' ' ||
  case when status in ('in transit', 'out for delivery', 'delivered') then tracking_id else 'PKG-…' || right(tracking_id, 3) end)`;

/**
 * The order in which a driver goes on: the stop that is marked as next, then what is open by the end of its window or by when it is
 * expected, then what is delivered, the latest first.
 */
const stopKeys = [
  `case status when 'out for delivery' then 0 when 'in transit' then 1 else 2 end`,
  `case when completed_at is null then extract(epoch from coalesce(window_to, estimated_delivery_at, created_at))
    else -extract(epoch from completed_at) end`,
  'id',
];

export const stopOrder: ListOrder = { keys: stopKeys, last: keysOf(stopKeys, 'packages') };

/** The same for its owner, who wrote the recipient and the address. */
export const asOwnersDelivery = (row: PackageRow): Delivery => present(row, false);

/** The same package while it waits, by the names of a package. */
export const asAvailablePackage = (row: PackageRow): AvailablePackage => ({
  _id: row.id,
  id: row.id,
  trackingId: maskTrackingId(row.tracking_id),
  name: row.name,
  description: row.description,
  category: row.category,
  weight: row.weight_kg,
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

/** What any driver may look at has no exact place. */
const beforeStart = {
  handling: (row: PackageRow) => ({ ...row.handling, safePlace: null }),
  location: (row: PackageRow) => row.address?.city ?? row.location,
};

function present(row: PackageRow, masked: boolean): Delivery {
  const completedAt = row.completed_at?.toISOString() ?? null;
  return {
    id: row.id,
    trackingId: masked ? maskTrackingId(row.tracking_id) : row.tracking_id,
    reference: masked ? null : row.reference,
    packageName: row.name,
    weight: row.weight_kg,
    category: row.category,
    description: row.description,
    handling: masked ? beforeStart.handling(row) : row.handling,
    recipientName: masked ? null : row.recipient_name,
    recipientPhone: masked ? null : row.recipient_contact,
    recipientAddress: masked || !row.address ? null : oneLine(row.address),
    location: masked ? beforeStart.location(row) : locationOf(row),
    window: asWindow(row),
    instructions: masked ? null : row.instructions,
    eta: row.eta,
    status: deliveryStatus(row.status),
    next: row.status === 'out for delivery',
    driverId: row.driver_id,
    // What a driver before wrote may name the recipient or the door.
    issue: masked ? null : row.issue,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    estimatedDeliveryTime: forecastOf(row),
    startTime: row.started_at?.toISOString() ?? null,
    completedAt,
    actualDeliveryTime: completedAt,
    receivedBy: row.received_by,
    packageImages: isWithdrawnStatus(row.status) ? [] : row.images.map(imageUrl),
    version: row.version,
  };
}
